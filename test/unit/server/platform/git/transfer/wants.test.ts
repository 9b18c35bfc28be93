import { expect, it } from "vitest";
import { wantsEverything, parseWants } from "@forgeline/server/platform/git/transfer/wants.ts";

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
const [a, b] = ["a".repeat(40), "b".repeat(40)];

it("finds wants wherever they stand, each once", async () => {
  const request = [
    packet("command=fetch\n"),
    "0001",
    packet("thin-pack\n"),
    packet(`want ${a}\n`),
    packet(`have ${b}\n`),
    packet(`want ${b}`),
    packet(`want ${a}\n`),
    packet("done\n"),
    "0000",
  ].join("");
  expect((await parseWants(Buffer.from(request))).ids).toEqual([a, b]);
});

it("ends with what is no packet", async () => {
  for (const request of ["zzzz", "0032want ", ""])
    expect(await parseWants(Buffer.from(request))).toEqual({ ids: [], namesHiddenRef: false });
});

it.each([
  ["in capitals", `want ${a.toUpperCase()}\n`],
  ["with capabilities behind it", `want ${a} ofs-delta agent=x\n`],
  ["with a letter behind it", `want ${a}x\n`],
  ["with a zero byte behind it", `want ${a}\0\n`],
  ["with two line breaks", `want ${a}\n\n`],
  ["without a line break", `want ${a}`],
])("sees a want as Git does: %s", async (_what, line) => {
  expect((await parseWants(Buffer.from(packet(line)))).ids).toEqual([a]);
});

it.each([
  ["refs/internal/x", true],
  ["internal/x", true],
  ["refs/heads/internal/x", false],
])("sees where history shall end: %s", async (ref, hidden) => {
  const request = Buffer.from(packet(`deepen-not ${ref}\n`));
  expect((await parseWants(request)).namesHiddenRef).toBe(hidden);
});

it("tells what is for all from what continues, and from a question for refs", () => {
  const fetch = `${packet("command=fetch")}0001${packet(`want ${a}\n`)}`;
  expect(wantsEverything(Buffer.from(`${fetch}${packet("done\n")}0000`))).toBe(true);
  expect(wantsEverything(Buffer.from(`${fetch}${packet(`have ${b}\n`)}0000`))).toBe(false);
  const list = `${packet("command=ls-refs\n")}0001${packet("peel\n")}0000`;
  expect(wantsEverything(Buffer.from(list))).toBe(false);
});
