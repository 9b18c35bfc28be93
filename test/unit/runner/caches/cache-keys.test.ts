/** Keys of caches, and the hashes of files in them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildContexts } from "@forgeline/compiler/expression/values.ts";
import { cacheKeys } from "@forgeline/runner/caches/cache-keys.ts";
import { hashFiles } from "@forgeline/runner/caches/hash-files.ts";
import { planCache } from "../../../support/job-caches.ts";
import { plainEvent } from "../../../support/plain-event.ts";

const { signal } = new AbortController();
const contexts = buildContexts({ event: plainEvent("a".repeat(40)), matrix: { node: "22" } });
const made: string[] = [];
afterAll(() => made.forEach((path) => rmSync(path, { recursive: true })));

function checkout(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "forgeline-hash-"));
  made.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const hashed = async (root: string, ...globs: string[]) => (await hashFiles(root, globs, signal)).hash;

test("a hash says what the files are, and nothing that differs between two checkouts", async () => {
  const files = { "a/lock": "1", "b/lock": "2", other: "x", ".git/index": "3" };
  const [one, two] = [checkout(files), checkout({ ...files, ".git/index": "4" })];
  utimesSync(join(two, "a/lock"), 1, 1);
  const hash = await hashed(one, "**/lock", "a/**");
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await hashed(two, "a/**", "**/lock")).toBe(hash);
  expect(await hashed(one, "**")).toBe(await hashed(two, "**"));
  writeFileSync(join(two, "b/lock"), "changed");
  expect(await hashed(two, "**/lock")).not.toBe(hash);
  expect(await hashed(two, "a/**")).toBe(await hashed(one, "a/**"));
  // The same contents at another path are another hash.
  expect(await hashed(checkout({ "c/lock": "1" }), "**/lock")).not.toBe(
    await hashed(checkout({ "d/lock": "1" }), "**/lock"),
  );
  expect(await hashed(one, "none", "../**", "/etc/passwd")).toBe("");
});

test("no link leads a hash out of the workspace, and nothing waits for a pipe", async () => {
  const root = checkout({ lock: "1" });
  symlinkSync("/etc/passwd", join(root, "out"));
  symlinkSync("/etc", join(root, "dir"));
  symlinkSync("lock", join(root, "inside"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  const { hash, leftOut } = await hashFiles(root, ["out", "dir/**", "dir", "inside", "pipe"], signal);
  expect(hash).toBe(await hashed(root, "inside"));
  expect(leftOut.toSorted()).toEqual([
    "dir (a link that leads out of the workspace)",
    "out (a link that leads out of the workspace)",
    "pipe (neither a file nor a link)",
  ]);
});

test("keys are evaluated with the hashes that they ask for, each once", async () => {
  const asked: string[] = [];
  const hash = (globs: readonly string[]) => {
    asked.push(globs.join(" "));
    return Promise.resolve(`#${asked.length}`);
  };
  const cache = planCache("npm-${{ matrix.node }}-${{ hashFiles('a', 'b') }}-${{ hashFiles('c') }}", {
    restore: ["${{ hashFiles('c') }}", "npm-"],
  });
  expect(await cacheKeys(cache, contexts, hash)).toEqual({ key: "npm-22-#1-#2", restore: ["#2", "npm-"] });
  expect(asked).toEqual(["a b", "c"]);
});

test.each([
  ["${{ format('{0}', '') }}", "its key is empty"],
  ["${{ fromJson('\"a\\nb\"') }}", "control characters"],
  [
    `\${{ format('{0}{0}', '${"x".repeat(5_000)}') }}`,
    "its key has 10000 characters; at most 512 are possible",
  ],
  ["${{ vars.none }}", 'there is no "none"'],
  [
    Array.from({ length: 25 }, (_, i) => `\${{ hashFiles('${i}') }}`).join(""),
    "its key has more than 20 times hashFiles",
  ],
])("no key: case %#", async (key, message) => {
  await expect(cacheKeys(planCache(key), contexts, () => Promise.resolve(""))).rejects.toThrow(message);
});
