/** The hook that makes refs durable, run by itself with a `sync` that only notes its arguments. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

const hook = fileURLToPath(new URL("../../../../server/git/hooks/reference-transaction", import.meta.url));
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "forgeline-hook-"));
  mkdirSync(join(directory, "refs/heads/a"), { recursive: true });
  mkdirSync(join(directory, "refs/tags"));
  mkdirSync(join(directory, "bin"));
  writeFileSync(join(directory, "bin/sync"), `#!/bin/sh\nprintf '%s\\n' "$@" >> "${directory}/calls"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(directory, "calls"), "");
});
afterEach(() => rmSync(directory, { recursive: true }));

function run(state: string, refs: string[], mark = "1"): string[] {
  const input = refs.map((ref) => `${"0".repeat(40)} ${"a".repeat(40)} ${ref}\n`).join("");
  const env = { PATH: `${directory}/bin:${process.env["PATH"]}`, GIT_DIR: directory, FORGELINE_SYNC: mark };
  // Not reading its input is allowed, so a broken pipe is no failure here, and none to Git.
  expect(spawnSync(hook, [state], { input, env }).status).toBe(0);
  const calls = readFileSync(join(directory, "calls"), "utf8").split("\n").slice(0, -1);
  return calls.map((path) => path.slice(directory.length + 1));
}

it("syncs each directory once, with those above it", () => {
  const refs = ["refs/heads/a/x", "refs/heads/a/y", "refs/heads/main", "refs/tags/v1"];
  expect(run("committed", refs).sort()).toEqual(
    ["", "objects", "objects/pack", "refs", "refs/heads", "refs/heads/a", "refs/tags"].sort(),
  );
});

it("passes over directories that went with their last ref, and HEAD", () => {
  expect(run("committed", ["refs/heads/gone/x", "HEAD"])).toEqual([
    "",
    "objects",
    "objects/pack",
    "refs/heads",
    "refs",
  ]);
});

it("does nothing before the commit or without the mark", () => {
  expect(run("prepared", ["refs/heads/main"])).toEqual([]);
  expect(run("committed", ["refs/heads/main"], "")).toEqual([]);
});
