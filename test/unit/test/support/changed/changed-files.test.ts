/** What counts as changed, in repositories made for it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "@forgeline/launcher/run.ts";
import { changedFiles } from "../../../../support/changed/changed-files.ts";

let root: string;
const git = (...args: string[]) =>
  run("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: root });
const write = (path: string, text: string) => writeFile(join(root, path), text);

async function commit(message: string): Promise<void> {
  await git("add", ".");
  await git("commit", "-qm", message);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "forgeline-changed-"));
  await git("init", "-q", "-b", "main");
  await mkdir(join(root, "server"));
  await write("server/a.ts", "1");
  await write("server/b.ts", "1");
  await write(".gitignore", "made\n");
  await commit("First");
});
afterAll(() => rm(root, { recursive: true, force: true }));

it("without a branch to land on, what is not committed: changed, removed, and unknown to Git", async () => {
  expect(await changedFiles(root)).toEqual({ since: "HEAD", files: [] });
  await write("server/a.ts", "2");
  await write("server/ü c.ts", "1");
  await write("made", "not a source");
  await rm(join(root, "server/b.ts"));
  expect(await changedFiles(root)).toEqual({
    since: "HEAD",
    files: ["server/a.ts", "server/b.ts", "server/ü c.ts"],
  });
});

it("with one, also the commits that are not there yet, and not those that are there alone", async () => {
  await git("stash", "-qu");
  await git("switch", "-qc", "work");
  await write("mine", "1");
  await commit("Mine");
  await git("switch", "-q", "main");
  await write("theirs", "1");
  await commit("Theirs");
  await git("update-ref", "refs/remotes/origin/main", "main");
  await git("switch", "-q", "work");
  expect(await changedFiles(root)).toEqual({ since: "origin/main", files: ["mine"] });
  expect(await changedFiles(root, "main")).toEqual({ since: "main", files: ["mine", "theirs"] });
  await expect(changedFiles(root, "nowhere")).rejects.toThrow("nowhere");
});
