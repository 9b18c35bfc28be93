/** What a job leaves to make its removal hard, or its size look small. Everything goes, and nothing is counted as nothing. */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { installInit } from "@forgeline/runner/init/program.ts";
import { walkTree } from "@forgeline/runner/init/trees.ts";
import { docker, isRoot, onEachRunner, runHostile } from "./support/hostile-bed.ts";
import { size } from "../support/size.ts";

const run = promisify(execFile);
const mib = 1024 * 1024;

/** Links lead here: to a directory of the machine itself they would make a mistake of the product its end. */
let canaries: string;
beforeAll(async () => {
  await ensureBaseImage(docker);
  canaries = await mkdtemp(join(tmpdir(), "forgeline-canaries-"));
  await writeFile(join(canaries, "file"), "untouched\n");
  await chmod(canaries, 0o777);
});
afterAll(() => rm(canaries, { recursive: true }));

const depth = size(600, 10_000);
const files = size(2_000, 10_000_000);
/** From the bottom up, since the path of the lowest directory is longer than a path may be. */
const deep = `name=$(printf 'n%.0s' $(seq 200)); mkdir deep; i=0; while [ $i -lt ${depth} ]; do mkdir up; mv deep up/$name; mv up deep; i=$((i+1)); done`;

onEachRunner((kind) => {
  test("a tree that is too deep counts as most, and goes", async () => {
    const report = await runHostile(kind, {
      image: { name: "forgeline/base:1", user: null },
      steps: [deep],
      stepTimeoutMs: 300_000,
    });
    expect(report.steps[0]?.exit).toEqual({ kind: "exited", code: 0 });
    expect(report.diskBytes).toBeNull();
    expect(report.left).toEqual([]);
  });

  test("files that are many, closed or hidden are counted, and go", async () => {
    const report = await runHostile(kind, {
      image: { name: "forgeline/base:1", user: null },
      steps: [
        `ln -s ${canaries} link; ln -s ${canaries}/file file`,
        // In as many directories as there are processes that fill them: of one directory only one makes files at a time.
        `for part in 1 2; do mkdir -p many/$part; (cd many/$part; seq ${files / 2} | xargs touch) & done; wait`,
        "mkdir -p shut/in; dd if=/dev/zero of=shut/in/big bs=1M count=8; chown -R 1234:99 shut; chmod 0 shut/in shut",
        "mkfifo pipe; cd ${CI_OUTPUT%/*}; mkdir .hidden; dd if=/dev/zero of=.hidden/x bs=1M count=4; chown 77 .; chmod 700 .",
      ],
      stepTimeoutMs: 1_200_000,
    });
    for (const step of report.steps) expect(step.exit).toEqual({ kind: "exited", code: 0 });
    expect(report.diskBytes).toBeGreaterThanOrEqual(12 * mib);
    expect(report.diskBytes).toBeLessThan(64 * mib + files * 4096);
    expect(report.left).toEqual([]);
    expect(await readFile(join(canaries, "file"), "utf8")).toBe("untouched\n");
  });
});

describe("forgeline-init over a tree", () => {
  let directory: string;
  let program: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "forgeline-tree-"));
    program = await installInit(join(directory, ".init"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test("removes what is below, and nothing that links lead to", async () => {
    const [tree, outside] = [join(directory, "tree"), join(directory, "outside")];
    await mkdir(join(outside, "kept"), { recursive: true });
    await writeFile(join(outside, "file"), "kept");
    await mkdir(join(tree, "a", "b"), { recursive: true });
    await symlink(outside, join(tree, "a", "link"));
    await symlink(outside, join(tree, ".forgeline-lifted-0"));
    await run("mkfifo", [join(tree, "pipe")]);
    expect(await walkTree(program, ["remove", tree], 10_000)).toMatchObject({ kind: "done" });
    expect(await readdir(tree)).toEqual([]);
    expect((await readdir(outside)).toSorted()).toEqual(["file", "kept"]);
    expect(await walkTree(program, ["remove", join(directory, "absent")], 10_000)).toMatchObject({
      kind: "done",
    });
  });

  test("says that it takes too long, and goes on where it was", async () => {
    const tree = join(directory, "slow");
    await mkdir(tree);
    await run("sh", ["-c", `cd ${tree} && seq 50000 | xargs touch`]);
    expect(await walkTree(program, ["remove", tree], 1)).toMatchObject({ kind: "late" });
    expect(await walkTree(program, ["remove", tree], 60_000)).toMatchObject({ kind: "done" });
    expect(await readdir(tree)).toEqual([]);
  });

  test.runIf(isRoot)(
    "removes what root of the machine made immutable or append-only, which no job can",
    async () => {
      const tree = join(directory, "fixed");
      await mkdir(join(tree, "a", "b"), { recursive: true });
      for (const name of ["file", "log", "a/b/file"]) await writeFile(join(tree, name), "fixed");
      await run("chattr", ["+a", join(tree, "log")]);
      for (const name of ["file", "a/b/file", "a/b", "a"]) await run("chattr", ["+i", join(tree, name)]);
      await expect(unlink(join(tree, "file"))).rejects.toThrow("EPERM");
      expect(await walkTree(program, ["remove", tree], 10_000)).toMatchObject({ kind: "done" });
      expect(await readdir(tree)).toEqual([]);
    },
  );

  test.runIf(isRoot)("does not enter another file system, and says so", async () => {
    const tree = join(directory, "mounted");
    await mkdir(join(tree, "here", "there"), { recursive: true });
    await run("mount", ["-t", "tmpfs", "none", join(tree, "here", "there")]);
    try {
      await writeFile(join(tree, "here", "there", "file"), "kept");
      expect(await walkTree(program, ["remove", tree], 10_000)).toMatchObject({ kind: "failed" });
      expect(await readdir(join(tree, "here", "there"))).toEqual(["file"]);
    } finally {
      await run("umount", [join(tree, "here", "there")]);
    }
  });
});
