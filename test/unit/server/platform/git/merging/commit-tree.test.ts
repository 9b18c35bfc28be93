import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commitTree, textOf, type TreeCommit } from "@forgeline/server/platform/git/merging/commit-tree.ts";
import { emptyTree } from "@forgeline/server/platform/git/refs/names.ts";

const directory = mkdtempSync(join(tmpdir(), "forgeline-commit-"));
execFileSync("git", ["init", "-q", "--bare", directory]);
afterAll(() => rmSync(directory, { recursive: true }));

const ada = { name: "Ada", email: "ada@example.org" };
const commit: TreeCommit = {
  tree: emptyTree,
  parents: [],
  message: "Begin",
  author: ada,
  committer: { name: "Forgeline", email: "noreply@invalid" },
  date: new Date(1_700_000_000_500),
};

function byGit({ tree, message }: TreeCommit): string {
  const date = "@1700000000 +0000";
  const people = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org", GIT_AUTHOR_DATE: date };
  const env = { ...process.env, ...people, GIT_COMMITTER_DATE: date };
  const committer = { GIT_COMMITTER_NAME: "Forgeline", GIT_COMMITTER_EMAIL: "noreply@invalid" };
  const options = {
    cwd: directory,
    input: message,
    env: { ...env, ...committer },
    encoding: "utf8",
  } as const;
  execFileSync("git", ["hash-object", "-t", "tree", "-w", "/dev/null"], { cwd: directory });
  return execFileSync("git", ["commit-tree", "-F", "-", tree], options).trim();
}

test.each(["Begin", "Begin\n\nwith a body\n", "", "\u00fcber"])(
  "writes the commit that Git writes: %j",
  async (message) => {
    const made = { ...commit, message };
    expect(await commitTree({ directory, env: {} }, made)).toBe(byGit(made));
  },
);

test("lets no name and no message add a line to the head", () => {
  const name = "Ada <x> 1 +0000\nparent 0";
  const text = textOf({ ...commit, author: { name, email: "a\n b>c" }, message: "a\0b" });
  expect(text.split("\n").slice(0, 5)).toEqual([
    `tree ${emptyTree}`,
    "author Ada x 1 +0000parent 0 <abc> 1700000000 +0000",
    "committer Forgeline <noreply@invalid> 1700000000 +0000",
    "",
    "ab",
  ]);
});
