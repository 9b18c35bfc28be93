import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { generatedFiles } from "../../scripts/generate/files.ts";

const files = await generatedFiles();

test.each(Object.keys(files))("%s is what `npm run generate` writes", async (path) => {
  expect(await readFile(new URL(`../../${path}`, import.meta.url), "utf8")).toBe(files[path]);
});
