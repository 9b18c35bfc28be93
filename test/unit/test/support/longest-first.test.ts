import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { slowFiles } from "../../../support/longest-first.ts";

test("the list of long test files names only what there is", () => {
  const there = (file: string) => existsSync(new URL(`../../../${file}`, import.meta.url));
  expect(Object.keys(slowFiles).filter((file) => !there(file))).toEqual([]);
});
