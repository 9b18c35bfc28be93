/** The list of mutants keeps step with the sources: what each changes is there, once, and so are its tests. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutants } from "../mutants/all.ts";

const checkout = join(import.meta.dirname, "../..");

test("what each mutant changes stands in its file exactly once", () => {
  const wrong = mutants.filter(({ file, find }) => {
    const text = readFileSync(join(checkout, file), "utf8");
    return find === "" || text.split(find).length !== 2;
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test("each mutant is a change of the product, and names tests that there are", () => {
  const wrong = mutants.filter(
    ({ file, find, replace, tests }) =>
      file.startsWith("test/") ||
      find === replace ||
      tests.length === 0 ||
      tests.some((path) => !path.endsWith(".test.ts") || !existsSync(join(checkout, path))),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test("names are words of their own", () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  for (const { name } of mutants) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)+$/);
});
