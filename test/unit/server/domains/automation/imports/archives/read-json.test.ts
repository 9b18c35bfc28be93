import { expect, test } from "vitest";
import { readJsonLines } from "@forgeline/server/domains/automation/imports/archives/read-json.ts";

async function* pieces(...texts: string[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}
const entry = (...texts: string[]) => ({ path: "a.ndjson", sizeBytes: 0, bytes: pieces(...texts) });
async function all(...texts: string[]) {
  const values: unknown[] = [];
  for await (const value of readJsonLines(entry(...texts))) values.push(value);
  return values;
}

test("lines are read however they are cut, with and without an end, and empty ones are none", async () => {
  const expected = [{ a: 1 }, { b: "ü" }, 3];
  expect(await all('{"a":1}\n{"b":"ü"}\n3')).toEqual(expected);
  expect(await all('{"a"', ":1}\n", "\n\n", '{"b":"ü"}', "\n3\n")).toEqual(expected);
  expect(await all("")).toEqual([]);
});

test("a line that is no JSON, or has no end, is refused with the name of its file", async () => {
  await expect(all('{"a":1}\n{')).rejects.toThrow("a.ndjson in the archive is no JSON");
  const endless = Array.from({ length: 33 }, () => "x".repeat(1024 * 1024));
  await expect(all(...endless)).rejects.toThrow("a.ndjson in the archive is too large");
});
