import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { longFiles } from "../../../support/longest-first.ts";

test("the list of long test files names only what there is", () => {
  const there = (file: string) => existsSync(new URL(`../../../${file}`, import.meta.url));
  expect(Object.keys(longFiles).filter((file) => !there(file))).toEqual([]);
});
