import { describe, expect, it, vi } from "vitest";
import { createPushCommands } from "@forgeline/server/platform/git/transfer/push-commands.ts";

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
const id = "a".repeat(40);
const command = (wishes: string) => packet(`${id} ${id} refs/heads/main\0${wishes}`);

function read(text: string, pieceBytes: number): boolean {
  const commands = createPushCommands();
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0; at < bytes.length; at += pieceBytes) commands.see(bytes.subarray(at, at + pieceBytes));
  return commands.understands("atomic");
}

describe.each([1, 7, 100_000])("the wish for all or nothing, in pieces of %i bytes", (bytes) => {
  it.each<[boolean, string, string]>([
    [true, "an atomic push", `${command(" report-status-v2 side-band-64k atomic agent=git/2.39.5\n")}0000`],
    [true, "one of a shallow clone", `${packet(`shallow ${id}\n`)}${command("atomic")}0000PACK`],
    [true, "a signed one", `${packet("push-cert\0atomic agent=x\n")}0000`],
    [
      false,
      "any other",
      `${command("report-status agent=atomic-client\n")}${packet(`${id} ${id} refs/x`)}0000`,
    ],
    [false, "a ref of that name", `${packet(`${id} ${id} refs/heads/atomic`)}0000`],
    [false, "what is no request", "zzzz atomic"],
    [false, "an empty one", "0000"],
  ])("is %s for %s", (atomic, _what, text) => expect(read(text, bytes)).toBe(atomic));
});

it("stops looking where there is no end", () => {
  const shallow = packet(`shallow ${id}\n`).repeat(30_000);
  expect(read(`${shallow}${command("atomic")}`, 64 * 1024)).toBe(false);
});

it("takes one long packet byte by byte without joining it each time", () => {
  const long = packet(`${id} ${id} refs/heads/${"a/".repeat(32_000)}b\0atomic`);
  const joined = vi.spyOn(Buffer, "concat");
  try {
    expect(read(long, 1)).toBe(true);
    expect(joined.mock.calls.length).toBeLessThan(10);
  } finally {
    joined.mockRestore();
  }
});
