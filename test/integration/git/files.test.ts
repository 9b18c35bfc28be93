/** Reading repositories through the pool, and Git's immunity to planted configuration. */
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatFilePool, type CatFilePool } from "@forgeline/server/platform/git/processes/cat-file.ts";
import {
  createRepositoryFiles,
  type RepositoryFiles,
} from "@forgeline/server/platform/git/storage/repository-files.ts";
import { createGit } from "@forgeline/server/platform/git/processes/run-git.ts";
import { createRepositoryStorage } from "@forgeline/server/platform/git/storage/storage.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { createGitClient, type GitClient } from "./git-client.ts";
import { wideAdmission } from "../../support/wide-admission.ts";

const git = createGit({ maxPushBytes: 1_000_000_000, admission: wideAdmission() });
let dataDir: string;
let client: GitClient;
let catFiles: CatFilePool;
let files: RepositoryFiles;
let id: string;
let tree: string;
let first: string;
let second: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "forgeline-files-"));
  client = await createGitClient("");
  const storage = createRepositoryStorage(dataDir);
  catFiles = createCatFilePool({ startGit: git.start, maxProcesses: 2, idleMs: 10_000 });
  files = createRepositoryFiles({ storage, runGit: git.run, catFiles });
  id = newId("repo");
  await storage.create(id, "main");
  tree = await client.workTree({ "a.txt": "one\n", "with space.txt": "s" });
  await symlink("/etc/passwd", join(tree, "link"));
  first = await client.commit(tree, {});
  second = await client.commit(tree, { "a.txt": "two\n", "b.txt": "b" });
  await client.ok(["tag", "-a", "v1", "-m", "tagged", first], { cwd: tree });
  await client.ok(["push", "-q", storage.directory(id), "main", "v1"], { cwd: tree });
});
afterAll(async () => {
  catFiles?.close();
  git.close();
  await client?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

describe("files", () => {
  it("are read whole, or not at all past the limit", async () => {
    expect((await files.readFile(id, { sha: second, path: "a.txt", maxBytes: 100 }))?.bytes?.toString()).toBe(
      "two\n",
    );
    expect(
      (await files.readFile(id, { sha: first, path: "with space.txt", maxBytes: 100 }))?.bytes?.toString(),
    ).toBe("s");
    expect(await files.readFile(id, { sha: second, path: "a.txt", maxBytes: 3 })).toMatchObject({
      sizeBytes: 4,
      bytes: null,
    });
  });
  it("are absent where nothing, a directory or nonsense is named", async () => {
    for (const path of [
      "no",
      "",
      ".",
      "../a.txt",
      "/a.txt",
      "a.txt/",
      "a.txt\ncontents HEAD",
      "a\0",
      "a".repeat(5000),
    ])
      expect([path, await files.readFile(id, { sha: second, path, maxBytes: 100 })]).toEqual([
        path,
        undefined,
      ]);
    expect(await files.readFile(id, { sha: "HEAD", path: "a.txt", maxBytes: 100 })).toBeUndefined();
    expect(await files.readFile(id, { sha: "f".repeat(40), path: "a.txt", maxBytes: 100 })).toBeUndefined();
  });
  it("of links are their text", async () => {
    expect((await files.readFile(id, { sha: first, path: "link", maxBytes: 100 }))?.bytes?.toString()).toBe(
      "/etc/passwd",
    );
    expect((await files.listDirectory(id, first, ""))?.find((e) => e.name === "link")?.type).toBe("symlink");
  });
  it("answer many at once, in order", async () => {
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        files.readFile(id, { sha: n % 2 ? first : second, path: "a.txt", maxBytes: 100 }),
      ),
    );
    expect(all.map((f) => f?.bytes?.toString())).toEqual(all.map((_, n) => (n % 2 ? "one\n" : "two\n")));
  });
});

describe("refs", () => {
  it("resolve by branch, tag, full name and reachable commit", async () => {
    expect(await files.resolveRef(id, "main")).toEqual({ ref: "refs/heads/main", sha: second });
    expect(await files.resolveRef(id, "v1")).toEqual({ ref: "refs/tags/v1", sha: first });
    expect(await files.resolveRef(id, "refs/tags/v1")).toEqual({ ref: "refs/tags/v1", sha: first });
    expect(await files.resolveRef(id, first)).toMatchObject({ sha: first });
  });
  it("do not resolve expressions, options, or what nothing reaches", async () => {
    for (const name of [
      "main~1",
      "main^",
      "@{-1}",
      "HEAD",
      "--all",
      "main:a.txt",
      "f".repeat(40),
      second.slice(0, 10),
      "",
    ])
      expect([name, await files.resolveRef(id, name)]).toEqual([name, undefined]);
  });
  it("follow when they move, in the same process", async () => {
    const third = await client.commit(tree, { "c.txt": "c" });
    const storage = createRepositoryStorage(dataDir);
    await client.ok(["push", "-q", storage.directory(id), "main:moving"], { cwd: tree });
    expect((await files.resolveRef(id, "moving"))?.sha).toBe(third);
    await client.ok(["push", "-q", "-f", storage.directory(id), `${first}:refs/heads/moving`], { cwd: tree });
    expect((await files.resolveRef(id, "moving"))?.sha).toBe(first);
  });
});

describe("changed paths", () => {
  const change = (before: string | null, after: string, ref = "refs/heads/main") =>
    files.changedPaths(id, { before, after, ref, defaultBranch: "main" }, 100);
  it("are those between, or since the merge base for a new branch", async () => {
    expect(await change(first, second)).toEqual(["a.txt", "b.txt"]);
    expect(await change(null, second, "refs/heads/new")).toEqual([]);
    expect(await change(null, first)).toContain("a.txt");
  });
  it("of one branch of very many start no process, and are unknown where it takes one", async () => {
    const storage = createRepositoryStorage(dataDir);
    const onto = async (parents: string[]) => {
      const given = parents.flatMap((parent) => ["-p", parent]);
      const made = await client.ok(["commit-tree", ...given, "-m", "m", `${second}^{tree}`], { cwd: tree });
      // The same commit made a second later is another one.
      await client.ok(["push", "-q", storage.directory(id), `+${made}:refs/heads/of-many`], { cwd: tree });
      return made;
    };
    const cheap = (after: string) =>
      files.changedPaths(
        id,
        { before: null, after, ref: "refs/heads/of-many", defaultBranch: "main", cheaply: true },
        100,
      );
    expect(await cheap(await onto([first]))).toEqual(["a.txt", "b.txt"]);
    const merge = await onto([await onto([first]), first]);
    expect(await cheap(merge)).toBeNull();
    expect(await change(null, merge, "refs/heads/of-many")).toEqual(["a.txt", "b.txt"]);
  });
  it("are unknown past the limit or for unknown commits", async () => {
    const much = { before: first, after: second, ref: "refs/heads/main", defaultBranch: "main" };
    expect(await files.changedPaths(id, much, 1)).toBeNull();
    expect(await change("f".repeat(40), "e".repeat(40))).toBeNull();
  });
});

describe("configuration", () => {
  it("that somebody planted is found, and the repository not opened", async () => {
    const storage = createRepositoryStorage(dataDir);
    const planted = newId("repo");
    await storage.create(planted, "main");
    await storage.check(planted);
    await writeFile(join(storage.directory(planted), "config"), '[core]\n\tsshCommand = "touch /tmp/x"\n', {
      flag: "a",
    });
    await expect(storage.check(planted)).rejects.toThrow("was changed");
  });
  it("comes from us alone", async () => {
    const storage = createRepositoryStorage(dataDir);
    const { stdout } = await git.run({
      directory: storage.directory(id),
      args: ["config", "--list", "--show-origin"],
    });
    const origins = new Set(
      stdout
        .toString()
        .trim()
        .split("\n")
        .map((line) => line.split("\t")[0]),
    );
    expect(origins).toEqual(new Set(["command line:", `file:${join(storage.directory(id), "config")}`]));
  });
});
