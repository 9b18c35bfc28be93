/** Where a failed test is, as the tools of several languages write it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { placeOfTest } from "@forgeline/cli/exec/reports.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "forgeline-places-"));
  for (const directory of ["src", "node_modules/vitest"])
    mkdirSync(join(root, directory), { recursive: true });
  for (const file of ["src/cart.test.ts", "test_cart.py", "cart_test.go", "node_modules/vitest/run.js"])
    writeFileSync(join(root, file), "");
});
afterAll(() => rmSync(root, { recursive: true }));

it.each([
  ["    at /workspace/src/cart.test.ts:14:5", "src/cart.test.ts:14"],
  ["    at Object.<anonymous> (/workspace/src/cart.test.ts:3:1)", "src/cart.test.ts:3"],
  [
    "    at run (/workspace/node_modules/vitest/run.js:9:1)\n    at src/cart.test.ts:4:2",
    "src/cart.test.ts:4",
  ],
  ["test_cart.py:12: AssertionError", "test_cart.py:12"],
  ['  File "/workspace/test_cart.py", line 7, in test_cart', "test_cart.py:7"],
  ["    cart_test.go:21: got 3, want 4", "cart_test.go:21"],
  ["    at com.example.CartTest.adds(CartTest.java:30)", null],
  ["    at /usr/lib/node/loader.js:12:3", null],
  ["expected 3 to be 4", null],
])("%j", (details, place) => {
  const test = { suite: "", name: "t", status: "failed" as const, durationMs: null, message: null, details };
  expect(placeOfTest(test, root)).toBe(place);
});
