import { expect, it } from "vitest";
import { parseWants } from "@forgeline/server/git/http/wants.ts";

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
const [a, b] = ["a".repeat(40), "b".repeat(40)];

it("finds wants wherever they stand, each once", () => {
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
  expect(parseWants(Buffer.from(request))).toEqual([a, b]);
});

it("ends with what is no packet", () => {
  expect(parseWants(Buffer.from("zzzz"))).toEqual([]);
  expect(parseWants(Buffer.from("0032want "))).toEqual([]);
  expect(parseWants(Buffer.alloc(0))).toEqual([]);
});
