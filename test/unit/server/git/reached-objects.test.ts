import { expect, it } from "vitest";
import { searchFor } from "@forgeline/server/git/reached-objects.ts";

const ids = Array.from({ length: 40 }, (_, n) => n.toString(16).padStart(2, "0").repeat(20));
const wanted = [ids[3]!, ids[17]!, ids[39]!];
const lines = Buffer.from(ids.map((id) => `${id}\n`).join(""), "latin1");

it.each([1, 7, 40, 41, 42, 100, 5000])("finds all in pieces of %i bytes, and not before the last", (size) => {
  const seen = searchFor(wanted);
  // As the pieces of a program: one buffer, again and again.
  const piece = Buffer.alloc(size);
  const verdicts: boolean[] = [];
  for (let at = 0; at < lines.length; at += size) {
    const length = lines.copy(piece, 0, at, at + size);
    verdicts.push(seen(piece.subarray(0, length)));
  }
  expect(verdicts.indexOf(true)).toBe(verdicts.length - 1);
});

it("takes nothing that begins or ends alike for what it seeks", () => {
  const seen = searchFor(["0123456789".repeat(4)]);
  expect(seen(Buffer.from(`${"0123456789".repeat(3)}0123456780\n`))).toBe(false);
  expect(seen(Buffer.from(`9${"0123456789".repeat(4).slice(1)}\n`))).toBe(false);
  expect(seen(Buffer.from(`${"0123456789".repeat(4)}\n`))).toBe(true);
});
