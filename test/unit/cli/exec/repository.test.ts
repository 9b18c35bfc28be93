/** What a working tree says about its repository. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findRepository } from "@forgeline/cli/exec/repository.ts";

let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), "forgeline-repository-"));
  execFileSync("git", ["init", "-q", "-b", "topic", tree]);
});
afterAll(() => rm(tree, { recursive: true }));

it.each([
  ["https://ada:token@forge.example/acme/code.git", "acme/code", "https://forge.example/acme/code.git"],
  ["ssh://git@forge.example:2222/acme/code.git", "acme/code", "ssh://git@forge.example:2222/acme/code.git"],
  ["git@forge.example:acme/code", "acme/code", "git@forge.example:acme/code"],
  ["https://forge.example/group/sub/code", "sub/code", "https://forge.example/group/sub/code"],
])("names it by its remote %s", async (remote, name, shown) => {
  execFileSync("git", ["config", "remote.origin.url", remote], { cwd: tree });
  const found = await findRepository(tree);
  expect(`${found.owner}/${found.name}`).toBe(name);
  expect(found.remoteUrl).toBe(shown);
  expect(found).toMatchObject({ isGit: true, head: null, branch: "topic", defaultBranch: "topic" });
});
