/** Our answer to protocol 2's question for refs is Git's own, byte by byte, whatever lies in the repository. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatFilePool, type CatFilePool } from "@forgeline/server/platform/git/processes/cat-file.ts";
import { createRefListing, type ListRefs } from "@forgeline/server/platform/git/refs/ref-listing.ts";
import { createGit } from "@forgeline/server/platform/git/processes/run-git.ts";
import { createRepositoryStorage } from "@forgeline/server/platform/git/storage/storage.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { delimiter, flush, packet } from "../../support/git-packets.ts";
import { wideAdmission } from "../../support/wide-admission.ts";

const git = createGit({ maxPushBytes: 1_000_000_000, admission: wideAdmission() });
let dataDir: string;
let directory: string;
let catFiles: CatFilePool;
let listRefs: ListRefs;
let commit: string;

const author = { NAME: "Ada", EMAIL: "ada@example.org", DATE: "1700000000 +0000" };
const people = ["AUTHOR", "COMMITTER"].flatMap((who) =>
  Object.entries(author).map(([what, value]) => [`GIT_${who}_${what}`, value]),
);
const run = (...args: string[]) =>
  execFileSync("git", args, { cwd: directory, env: { ...process.env, ...Object.fromEntries(people) } })
    .toString()
    .trim();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "forgeline-listing-"));
  const storage = createRepositoryStorage(dataDir);
  const id = newId("repo");
  await storage.create(id, "main");
  directory = storage.directory(id);
  catFiles = createCatFilePool({ startGit: git.start, maxProcesses: 1, idleMs: 10_000 });
  listRefs = createRefListing(catFiles);
});
afterAll(async () => {
  catFiles.close();
  git.close();
  await rm(dataDir, { recursive: true });
});

const undo = (path: string) => rm(join(directory, path), { recursive: true });

function question(
  words: readonly string[],
  capabilities = ["agent=git/2.39.5", "object-format=sha1"],
): Buffer {
  const head = ["command=ls-refs\n", ...capabilities].map((line) => packet(line));
  return Buffer.concat([...head, delimiter, ...words.map((word) => packet(`${word}\n`)), flush]);
}

const questions = [
  ["peel", "symrefs", "unborn"],
  ["peel", "symrefs", "ref-prefix refs/heads/", "ref-prefix refs/tags/", "ref-prefix HEAD"],
  ["ref-prefix refs/heads/ma", "ref-prefix refs/internal/"],
  ["unborn", "ref-prefix HEAD"],
  ["symrefs", "ref-prefix HEAD"],
  ["peel", "ref-prefix HEAD"],
  ["ref-prefix refs/nothing/"],
  [],
].map((words) => question(words));

async function byGit(request: Buffer): Promise<string> {
  const args = ["upload-pack", "--stateless-rpc", directory];
  const env = { GIT_PROTOCOL: "version=2" };
  return (await git.run({ directory, args, env, input: request })).stdout.toString("latin1");
}

async function expectGitsAnswers(): Promise<void> {
  for (const request of questions) {
    const ours = await listRefs(directory, request);
    expect(ours?.toString("latin1")).toBe(await byGit(request));
  }
}

describe("refs are told as Git tells them", () => {
  it("where there are none", expectGitsAnswers);

  it("in files of their own, with tags of tags, of files, and without", async () => {
    const tree = run("mktree");
    commit = run("commit-tree", "-m", "first", tree);
    for (const name of ["heads/main", "heads/main-2", "internal/x", "merge-requests/1/head"])
      run("update-ref", `refs/${name}`, commit);
    run("update-ref", "refs/heads/a-b", commit);
    run("update-ref", "refs/heads/a/b", commit);
    run("update-ref", "refs/heads/ä€😀", commit);
    run("update-ref", "refs/heads/ﬀ", commit);
    run("update-ref", "refs/heads/a.lockx", commit);
    run("tag", "-a", "-m", "one", "v1", commit);
    run("-c", "advice.nestedTag=false", "tag", "-a", "-m", "two", "v2", "v1");
    run("tag", "-a", "-m", "tree", "v3", tree);
    run("tag", "plain", commit);
    run("update-ref", "refs/notes/x", run("rev-parse", "v1"));
    await writeFile(join(directory, "refs/heads/main.lock"), "");
    await expectGitsAnswers();
  });

  it("packed, and some moved or removed since", async () => {
    await undo("refs/heads/main.lock");
    run("pack-refs", "--all");
    await expectGitsAnswers();
    run(
      "update-ref",
      "refs/heads/main",
      run("commit-tree", "-m", "second", "-p", commit, `${commit}^{tree}`),
    );
    run("tag", "-d", "v2");
    run("tag", "-f", "-a", "-m", "other", "v3", commit);
    run("update-ref", "refs/internal/y", commit);
    await expectGitsAnswers();
  });

  it("packed by a copy, which says nothing of tags", async () => {
    const lines = run("for-each-ref", "--format=%(objectname) %(refname)");
    await rm(join(directory, "refs"), { recursive: true });
    await mkdir(join(directory, "refs"));
    await writeFile(join(directory, "packed-refs"), `# pack-refs with: sorted \n${lines}\n`);
    await expectGitsAnswers();
  });
});

describe("Git itself is left to answer", () => {
  const all = question(["peel"]);
  it.each([
    ["another command", Buffer.concat([packet("command=fetch\n"), delimiter, flush])],
    ["a word that we do not know", question(["peel", "unheard-of"])],
    ["a capability that we do not know", question(["peel"], ["server-option=x"])],
    ["another kind of ids", question(["peel"], ["object-format=sha256"])],
    ["a request that goes on", Buffer.concat([question(["peel"]), flush])],
    ["no end", question(["peel"]).subarray(0, -4)],
    ["no packet", Buffer.from("zzzz")],
    ["nothing", Buffer.alloc(0)],
  ])("%s", async (_what, request) => {
    expect(await listRefs(directory, request)).toBeUndefined();
  });

  it.each([
    ["an empty file", "refs/heads/empty", ""],
    ["a ref that stands for another", "refs/heads/other", "ref: refs/heads/main\n"],
    ["a name that Git would not take", "refs/heads/a..b", `${"1".repeat(40)}\n`],
    ["a tag of an object that is not there", "refs/tags/gone", `${"1".repeat(40)}\n`],
  ])("%s", async (_what, path, text) => {
    await mkdir(join(directory, path, ".."), { recursive: true });
    await writeFile(join(directory, path), text);
    expect(await listRefs(directory, all)).toBeUndefined();
    await undo(path);
    expect(await listRefs(directory, all)).toBeDefined();
  });

  it("a link among the refs", async () => {
    await symlink("/etc", join(directory, "refs/link"));
    expect(await listRefs(directory, all)).toBeUndefined();
    await undo("refs/link");
  });

  it("more refs than are read at once", async () => {
    await mkdir(join(directory, "refs/heads/many"), { recursive: true });
    for (let n = 0; n < 600; n++) await writeFile(join(directory, `refs/heads/many/${n}`), `${commit}\n`);
    expect(await listRefs(directory, all)).toBeUndefined();
    await undo("refs/heads/many");
  });

  it("a HEAD that is a commit", async () => {
    run("update-ref", "--no-deref", "HEAD", commit);
    expect(await listRefs(directory, all)).toBeUndefined();
  });
});
