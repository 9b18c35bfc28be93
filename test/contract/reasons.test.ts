/** Every reason of the catalogue is the outcome of some test, so that none is promised which nothing gives any more. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { reasonWords } from "@forgeline/server/domains/pipelines/runs/reasons.ts";

const tests = join(import.meta.dirname, "..");
const isExpectation = (name: string) =>
  (name.endsWith(".test.ts") && !name.endsWith("contract/reasons.test.ts")) ||
  name.endsWith("/expected.json");

async function expectations(): Promise<string> {
  const names = (await readdir(tests, { recursive: true })).filter(isExpectation);
  return (await Promise.all(names.map((name) => readFile(join(tests, name), "utf8")))).join("\n");
}

/** As a test expects it: after `reason`, or after the status. One word of English needs that; others are recognized anywhere. */
function expected(word: string): RegExp {
  const status = "(?:waiting|queued|failed|error|cancelled|skipped)";
  const inPlace = `(?:reason"?: ["'\`]|["'\`]${status}(?: |", "))${word}[:"'\`]`;
  return new RegExp(word.includes("_") ? `${inPlace}|["'\`/ ]${word}[:"'\`]` : inPlace);
}

it("each has a test", async () => {
  const text = await expectations();
  expect(reasonWords.length).toBeGreaterThan(40);
  expect(reasonWords.filter((word) => !expected(word).test(text))).toEqual([]);
});

it("a word that is only mentioned is no test", () => {
  expect(expected("clone").test('git(["clone", "-q"])')).toBe(false);
  expect(expected("clone").test('{ reason: "clone" }')).toBe(true);
  expect(expected("exit").test('"is": "failed exit:1"')).toBe(true);
  expect(expected("disk_quota").test("// disk_quota is told")).toBe(false);
});
