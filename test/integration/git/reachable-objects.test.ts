/** What visible refs reach, asked by the id of any kind of object: the same answer with and without a bitmap, for few processes. */
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWantFilter } from "@forgeline/server/platform/git/transfer/wants.ts";
import { maintainRepository } from "@forgeline/server/platform/git/storage/maintain-repository.ts";
import { createGit } from "@forgeline/server/platform/git/processes/run-git.ts";
import { createRepositoryStorage } from "@forgeline/server/platform/git/storage/storage.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ProcessStarter } from "@forgeline/server/platform/processes/process-starter.ts";
import { eventually } from "../../support/eventually.ts";
import { packet } from "../../support/git-packets.ts";
import { shareStarter } from "../../support/share-starter.ts";
import { wideAdmission } from "../../support/wide-admission.ts";
import { createGitClient, type GitClient } from "./git-client.ts";

const shared = shareStarter();
let starts = 0;
/** Processes that list all that refs reach: how many run, and how many there were at most. */
const lists = { running: 0, max: 0 };
const starter: ProcessStarter = {
  async start(order) {
    starts += 1;
    const child = await shared.start(order);
    if (!order.args.includes("--objects") || order.args.includes("--stdin")) return child;
    lists.running += 1;
    lists.max = Math.max(lists.max, lists.running);
    void child.exited.then(() => (lists.running -= 1));
    return child;
  },
  close: () => shared.close(),
};
const git = createGit({ maxPushBytes: 1_000_000_000, admission: wideAdmission(), starter });
/** Of wants alone nothing is read there. */
const noFiles = { read: () => Promise.reject(new Error("not asked for")) };
const wantFilter = createWantFilter(git, noFiles);
let dataDir: string;
let client: GitClient;
let directory: string;

const commits = 60;

/** Each commit changes one file and adds one; a branch of the server's own goes another way. */
function history(): string {
  const parts: string[] = [];
  const add = (branch: string, n: number, files: Record<string, string>) => {
    const who = `committer Ada <ada@example.org> ${1_700_000_000 + n * 60} +0000`;
    parts.push(`commit ${branch}\n${who}\ndata 6\nchange\n`);
    if (branch !== "refs/heads/main" && n === 0) parts.push("from refs/heads/main\n");
    for (const [path, text] of Object.entries(files))
      parts.push(`M 644 inline ${path}\ndata ${text.length}\n${text}\n`);
  };
  for (let n = 0; n < commits; n++)
    add("refs/heads/main", n, { "always.txt": `text ${n}`, [`d${n % 5}/f${n}.txt`]: `file ${n}` });
  for (let n = 0; n < 3; n++) add("refs/internal/kept", n, { "hidden.txt": `secret ${n}`, [`s/${n}`]: "s" });
  return parts.join("");
}

const idOf = (name: string) => client.ok(["--git-dir", directory, "rev-parse", name]);
const wanting = (ids: readonly string[]) => Buffer.concat(ids.map((id) => packet(`want ${id}\n`)));
const reached = async (ids: readonly string[], signal = new AbortController().signal) =>
  (await wantFilter({ directory, protocol: undefined, packets: wanting(ids), signal })) !== undefined;

const visibleNames = {
  "the newest file": "main:always.txt",
  "the oldest file": "main~59:always.txt",
  "the oldest top directory": "main~59^{tree}",
  "a directory in between": "main~30:d4",
  "an annotated tag": "outer",
  "the tag that it is on": "inner",
  "a commit in between": "main~17",
};
const hiddenNames = {
  "a file of a hidden ref": "refs/internal/kept:hidden.txt",
  "an older file of a hidden ref": "refs/internal/kept~1:hidden.txt",
  "a directory of a hidden ref": "refs/internal/kept:s",
  "the top directory of a hidden ref": "refs/internal/kept^{tree}",
  "a commit of a hidden ref": "refs/internal/kept~1",
};
let visible: Record<string, string>;
let hidden: Record<string, string>;

async function idsOf(names: Record<string, string>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [what, name] of Object.entries(names)) found[what] = await idOf(name);
  return found;
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "forgeline-reached-"));
  client = await createGitClient("");
  const storage = createRepositoryStorage(dataDir);
  const id = newId("repo");
  await storage.create(id, "main");
  directory = storage.directory(id);
  execFileSync("git", ["--git-dir", directory, "fast-import", "--quiet"], { input: history() });
  const ours = (...args: string[]) => client.ok(["--git-dir", directory, ...args]);
  await ours("tag", "-a", "inner", "-m", "inner", "main~20");
  await ours("tag", "-a", "outer", "-m", "outer", "inner");
  for (const [name, on] of [
    ["gone", "main"],
    ["gone-file", "main:always.txt"],
  ] as const)
    await ours("tag", "-a", name, "-m", name, on);
  visible = await idsOf(visibleNames);
  hidden = await idsOf({ ...hiddenNames, "a deleted tag": "gone", "a deleted tag on a file": "gone-file" });
  await ours("tag", "-d", "inner", "gone", "gone-file");
});
afterAll(async () => {
  git.close();
  await client?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

async function maintain(): Promise<void> {
  await maintainRepository(
    git.run,
    directory,
    // What nothing reaches stays, for two weeks.
    {
      everythingIsDue: true,
      prune: false,
      signal: new AbortController().signal,
      removeRefLocks: () => Promise.resolve(0),
    },
  );
}

/** The bitmap knows none of the refs' own objects then. */
async function goOn(): Promise<void> {
  const args = ["--git-dir", directory];
  const next = await client.ok([...args, "commit-tree", "-p", "main", "-m", "next", "main^{tree}"]);
  await client.ok([...args, "update-ref", "refs/heads/main", next]);
  await client.ok([...args, "update-ref", "-d", "refs/tags/outer"]);
  delete visible["an annotated tag"];
  delete visible["the tag that it is on"];
}

describe.each([
  ["without a bitmap", () => Promise.resolve()],
  ["with a bitmap", maintain],
  ["with a bitmap that knows no tip", goOn],
])("%s", (_when, prepare) => {
  beforeAll(prepare);

  it("what a visible ref reaches may be had, one by one and all at once", async () => {
    for (const [what, id] of Object.entries(visible))
      expect([what, await reached([id])]).toEqual([what, true]);
    expect(await reached(Object.values(visible))).toBe(true);
  });

  it("what none reaches may not, alone or among others", async () => {
    for (const [what, id] of Object.entries(hidden)) {
      expect([what, await reached([id])]).toEqual([what, false]);
      expect([what, await reached([...Object.values(visible), id])]).toEqual([what, false]);
    }
    expect(await reached([...Object.values(visible), "1".repeat(40)])).toBe(false);
  });

  it("costs four processes for any number of objects", async () => {
    const all = await client.ok(["--git-dir", directory, "rev-list", "--objects", "main"]);
    const ids = all.split("\n").map((line) => line.slice(0, 40));
    starts = 0;
    expect(await reached(ids)).toBe(true);
    expect(starts).toBeLessThanOrEqual(4);
    starts = 0;
    expect(await reached([...ids, hidden["a file of a hidden ref"]!])).toBe(false);
    expect(starts).toBeLessThanOrEqual(4);
  });
});

it("lists one at a time, however many ask", async () => {
  lists.max = lists.running;
  const asked = [hidden["a file of a hidden ref"]!, visible["the oldest file"]!, hidden["a deleted tag"]!];
  const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => reached([asked[n % 3]!])));
  expect(answers).toEqual(answers.map((_, n) => n % 3 === 1));
  expect(lists.max).toBe(1);
});

// Sooner than Git's own time is over.
it("ends when nobody waits any more", { timeout: 15_000 }, async () => {
  const program = join(dataDir, "git");
  // It answers what is there, and never what refs reach.
  await writeFile(program, '#!/bin/sh\ncase "$*" in *--objects*) exec sleep 600;; esac\nexec git "$@"\n');
  await chmod(program, 0o755);
  const slow = createGit({ maxPushBytes: 1, admission: wideAdmission(), starter, program });
  const gone = new AbortController();
  const packets = wanting([visible["the oldest file"]!]);
  starts = 0;
  const answer = createWantFilter(
    slow,
    noFiles,
  )({ directory, protocol: undefined, packets, signal: gone.signal }).catch(String);
  await eventually(() => starts === 3);
  gone.abort(new Error("nobody waits"));
  expect(await answer).toContain("nobody waits");
});
