/** The copy of what a working tree has beside its last commit: what is a link or a directory now, and was another thing before. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findRepository } from "@forgeline/cli/exec/repository.ts";
import { applySnapshot, takeSnapshot } from "@forgeline/cli/exec/snapshot.ts";

let place: string;
let tree: string;
let checkout: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "forgeline-snapshot-"));
  [tree, checkout] = [join(place, "tree"), join(place, "checkout")];
  await mkdir(join(place, "outside"));
  await writeFile(join(place, "outside", "file"), "outside\n");
  await mkdir(tree);
  git(tree, "init", "-q", "-b", "main");
});
afterEach(() => rm(place, { recursive: true }));

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd }).toString();
}

async function applied() {
  const snapshot = await takeSnapshot(await findRepository(tree), join(place, "changes"));
  await applySnapshot(snapshot, checkout);
  return snapshot;
}

function commit(): void {
  git(tree, "add", ".");
  git(tree, "commit", "-q", "-m", "one");
  git(place, "clone", "-q", tree, checkout);
}

it("does not follow a link that was committed where a directory is now", async () => {
  await symlink(join(place, "outside"), join(tree, "dir"));
  commit();
  await rm(join(tree, "dir"));
  await mkdir(join(tree, "dir"));
  await writeFile(join(tree, "dir", "file"), "inside\n");
  await applied();
  expect(await readFile(join(place, "outside", "file"), "utf8")).toBe("outside\n");
  expect(await readFile(join(checkout, "dir", "file"), "utf8")).toBe("inside\n");
});

it("copies a link as a link, in place of a directory too", async () => {
  await mkdir(join(tree, "dir"));
  await writeFile(join(tree, "dir", "file"), "inside\n");
  commit();
  await rm(join(tree, "dir"), { recursive: true });
  await symlink("../outside", join(tree, "dir"));
  await applied();
  expect(await readlink(join(checkout, "dir"))).toBe("../outside");
  expect(await readFile(join(place, "outside", "file"), "utf8")).toBe("outside\n");
});

it("leaves out what is ignored, and repositories inside", async () => {
  await writeFile(join(tree, ".gitignore"), "ignored\n");
  commit();
  await writeFile(join(tree, "ignored"), "x");
  await writeFile(join(tree, "new name\n"), "x");
  git(tree, "init", "-q", "inner");
  await writeFile(join(tree, "inner", "file"), "x");
  git(join(tree, "inner"), "add", ".");
  git(join(tree, "inner"), "commit", "-q", "-m", "inner");
  expect(await applied()).toMatchObject({ files: ["new name\n"], removed: [], foreign: ["inner"] });
});
