/** No file keeps the marks of a merge that somebody did not finish: the documentation is served as it is. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Made up here, so that this file has none. */
const marks = ["<", ">", "|"].map((sign) => `${sign.repeat(7)} `);

const files = execFileSync("git", ["grep", "--cached", "-lIe", "."], { encoding: "utf8" }).trim().split("\n");

function markedLines(text: string): number[] {
  const lines = text.split("\n").map((line, at) => ({ line, number: at + 1 }));
  return lines.filter(({ line }) => marks.some((mark) => line.startsWith(mark))).map(({ number }) => number);
}

test("finds such marks", () => {
  expect(markedLines(`a\n${marks.map((mark) => `${mark}main`).join("\nb\n")}\n`)).toEqual([2, 4, 6]);
});

test("no file has any", () => {
  const marked = files.flatMap((file) =>
    markedLines(readFileSync(file, "utf8")).map((line) => `${file}:${line}`),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(marked).toEqual([]);
});
