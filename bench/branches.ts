/** Repositories with branches that change files of their own, pushed with the real `git`, and merge requests of these. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { eventually } from "../test/support/eventually.ts";
import { createGitTransports, type GitTransports } from "./git-transports.ts";
import type { Bench } from "./scenario.ts";

export interface BranchesWanted {
  name: string;
  /** In the first commit of `main`. */
  files: number;
  /** `work-1` and so on: how many, the commits of each, and the files that each commit changes. */
  branches: number;
  commits: number;
  changed: number;
}

export interface BranchesMade {
  id: string;
  /** `/repos/admin/NAME` */
  path: string;
  git: GitTransports;
  /** Bare; pushed from. */
  source: string;
  url: string;
}

const beganSeconds = 1_700_000_000;
const linesOfFile = 120;

export async function makeBranches(bench: Bench, wanted: BranchesWanted): Promise<BranchesMade> {
  const { name } = wanted;
  const { id } = await bench.client.call<{ id: string }>("POST", "/repos", { name });
  const git = await createGitTransports(bench);
  const source = join(bench.directory, `${name}.git`);
  await mkdir(source);
  await git.time(source, "init", "-q", "--bare", "-b", "main", source);
  await importCommits(source, git.env, commitsOf(wanted));
  const url = git.url("https", name);
  await git.time(source, "push", "-q", url, "refs/heads/*:refs/heads/*");
  return { id, path: `/repos/${bench.instance.adminName}/${name}`, git, source, url };
}

/** An open one, from the branch with this number to `main`; its number. */
export async function openMergeRequest(
  { client }: Bench,
  { path }: Pick<BranchesMade, "path">,
  branch: number,
): Promise<number> {
  const body = {
    title: `Change ${branch}`,
    source_branch: `work-${branch}`,
    description: "For **everyone**.",
  };
  return (await client.call<{ number: number }>("POST", `${path}/merge-requests`, body)).number;
}

/** From each of so many branches. */
export async function openMergeRequests(
  bench: Bench,
  made: Pick<BranchesMade, "path">,
  branches: number,
): Promise<number[]> {
  const numbers: number[] = [];
  for (let branch = 1; branch <= branches; branch++)
    numbers.push(await openMergeRequest(bench, made, branch));
  return numbers;
}

/** No merge request of the repository waits for a comparison of its branches. */
export async function untilCompared(bench: Bench, repositoryId: string): Promise<void> {
  await eventually(async () => (await countDue(bench, repositoryId)) === 0, {
    timeoutMs: 120_000,
    intervalMs: 20,
  });
}

/** How many wait for one. */
export async function countDue({ database }: Bench, repositoryId: string): Promise<number> {
  const { rows } = await database.query<{ due: number }>(
    "select count(*)::int as due from merge_requests where repository_id = $1 and check_due_at is not null",
    [repositoryId],
  );
  return rows[0]?.due ?? 0;
}

async function importCommits(cwd: string, env: NodeJS.ProcessEnv, commits: Iterable<string>): Promise<void> {
  const child = spawn("git", ["fast-import", "--quiet"], { cwd, env, stdio: ["pipe", "inherit", "inherit"] });
  const ended = once(child, "exit") as Promise<[number | null]>;
  await pipeline(Readable.from(commits), child.stdin!);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

function* commitsOf({ files, branches, commits, changed }: BranchesWanted): Generator<string> {
  const numbers = Array.from({ length: files }, (_, n) => n);
  yield commitOf({ branch: "main", at: 0, from: undefined, files: numbers, text: "main" });
  for (let n = 1; n <= branches; n++)
    for (let commit = 0; commit < commits; commit++) {
      // Of different files, so that none conflicts with another.
      const first = ((n - 1) * commits + commit) * changed;
      const of = Array.from({ length: changed }, (_, i) => (first + i) % files);
      const from = commit === 0 ? "refs/heads/main" : undefined;
      const text = `work-${n} ${commit}`;
      yield commitOf({ branch: `work-${n}`, at: n * 1_000 + commit, from, files: of, text });
    }
}

interface CommitToMake {
  branch: string;
  at: number;
  from: string | undefined;
  files: readonly number[];
  text: string;
}

function commitOf({ branch, at, from, files, text }: CommitToMake): string {
  const message = `Change of ${text}\n`;
  const changes = files.map((n) => {
    const body = fileOf(n, text);
    return `M 100644 inline src/${n % 40}/file-${n}.ts\ndata ${body.length}\n${body}\n`;
  });
  return (
    `commit refs/heads/${branch}\ncommitter Ada <ada@example.org> ${beganSeconds + at} +0000\n` +
    `data ${message.length}\n${message}${from === undefined ? "" : `from ${from}\n`}${changes.join("")}\n`
  );
}

/** As long as sources are; a change touches two places of it. */
function fileOf(n: number, text: string): string {
  const line = (i: number) =>
    `export const value${i} = ${n * i}; // ${i === 10 || i === 80 ? text : "as it was"}\n`;
  return Array.from({ length: linesOfFile }, (_, i) => line(i)).join("");
}
