/**
 * Makes the commits of a branch again on top of another one, as git-rebase(1) does: each brings what it changed against its parent.
 * Merges among them are left out, and so is what changes nothing any more. Authors, dates and messages stay; signatures cannot.
 */
import type { RunGit } from "../processes/run-git.ts";
import { emptyTree } from "../refs/names.ts";
import type { CombinedPlace } from "./combined-objects.ts";
import { commitTree, type Person } from "./commit-tree.ts";
import { mergeTrees } from "./merge-commits.ts";

export interface Replay {
  /** Full ids. */
  target: string;
  head: string;
  committer: Person;
  maxCommits: number;
}

export type Replayed =
  | { commit: string }
  | { conflicts: string[]; at: string }
  | { impossible: "nothing" | "too_many" };

/** Where Git has one, it need not be told a time. */
const nobody: Person = { name: "Forgeline", email: "noreply@invalid" };
const maxOutputBytes = 256 * 1024 * 1024;

/** Stops at the first conflict. Throws `GitError`, and the signal's reason. */
export async function replayCommits(
  runGit: RunGit,
  place: CombinedPlace,
  { target, head, committer, maxCommits }: Replay,
): Promise<Replayed> {
  const shas = await listCommits(runGit, place, { target, head, max: maxCommits + 1 });
  if (shas.length > maxCommits) return { impossible: "too_many" };
  const [base, ...commits] = await readCommits(runGit, place, [target, ...shas]);
  let onto = { sha: target, tree: base!.tree };
  for (const commit of commits) {
    if (commit.parents.length === 1 && commit.parents[0] === onto.sha) {
      onto = commit;
      continue;
    }
    const merged = await applyTo(runGit, place, { onto, commit });
    if ("conflicts" in merged) return { ...merged, at: commit.sha };
    if (merged.tree === onto.tree) continue;
    const sha = await writeAgain(runGit, place, { commit, tree: merged.tree, parent: onto.sha, committer });
    onto = { sha, tree: merged.tree };
  }
  return onto.sha === target ? { impossible: "nothing" } : { commit: onto.sha };
}

/** Oldest first; of more than `max`, some. */
async function listCommits(
  runGit: RunGit,
  place: CombinedPlace,
  { target, head, max }: { target: string; head: string; max: number },
): Promise<string[]> {
  const order = ["--reverse", "--topo-order", "--no-merges", `--max-count=${max}`];
  const { stdout } = await runGit({
    ...place,
    args: ["rev-list", ...order, "--end-of-options", head, `^${target}`],
  });
  return stdout.toString("latin1").split("\n").filter(Boolean);
}

interface RawCommit {
  sha: string;
  tree: string;
  parents: string[];
  /** As stored, since its author chose the encoding. */
  bytes: Buffer;
}

async function readCommits(
  runGit: RunGit,
  place: CombinedPlace,
  shas: readonly string[],
): Promise<RawCommit[]> {
  const { stdout } = await runGit({
    ...place,
    args: ["cat-file", "--batch"],
    input: `${shas.join("\n")}\n`,
    maxOutputBytes,
  });
  let at = 0;
  return shas.map((sha) => {
    const start = stdout.indexOf("\n", at) + 1;
    const size = Number(stdout.toString("latin1", at, start).trim().split(" ")[2]);
    at = start + size + 1;
    const bytes = stdout.subarray(start, start + size);
    const lines = headOf(bytes);
    const values = (key: string) =>
      lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
    return { sha, tree: values("tree")[0] ?? emptyTree, parents: values("parent"), bytes };
  });
}

function headOf(bytes: Buffer): string[] {
  return bytes.toString("latin1", 0, endOfHead(bytes)).split("\n");
}

function endOfHead(bytes: Buffer): number {
  const end = bytes.indexOf("\n\n");
  return end < 0 ? bytes.length : end;
}

/**
 * What the commit changed, on the tree of another one. Git merges commits and finds their base by itself, so the other tree gets a
 * commit that begins where the change does.
 */
async function applyTo(
  runGit: RunGit,
  place: CombinedPlace,
  { onto, commit }: { onto: { tree: string }; commit: RawCommit },
): Promise<{ tree: string } | { conflicts: string[] }> {
  const helper = (tree: string, parents: readonly string[]) =>
    commitTree(place, { tree, parents, message: "", author: nobody, committer: nobody });
  const [parent] = commit.parents;
  const base = parent ?? (await helper(emptyTree, []));
  const theirs = parent === undefined ? await helper(commit.tree, [base]) : commit.sha;
  return mergeTrees(runGit, place, { ours: await helper(onto.tree, [base]), theirs });
}

async function writeAgain(
  runGit: RunGit,
  place: CombinedPlace,
  made: { commit: RawCommit; tree: string; parent: string; committer: Person },
): Promise<string> {
  const { stdout } = await runGit({
    ...place,
    args: ["hash-object", "-t", "commit", "-w", "--stdin"],
    input: textOf(made),
  });
  return stdout.toString("latin1").trim();
}

function textOf({
  commit,
  tree,
  parent,
  committer: { name, email },
}: {
  commit: RawCommit;
  tree: string;
  parent: string;
  committer: Person;
}): Buffer {
  const kept = (key: string) => headOf(commit.bytes).filter((line) => line.startsWith(`${key} `));
  const head = [`tree ${tree}`, `parent ${parent}`, ...kept("author")].join("\n");
  const seconds = Math.floor(Date.now() / 1000);
  return Buffer.concat([
    Buffer.from(`${head}\n`, "latin1"),
    Buffer.from(`committer ${name.trim()} <${email}> ${seconds} +0000\n`, "utf8"),
    Buffer.from(
      kept("encoding")
        .map((line) => `${line}\n`)
        .join(""),
      "latin1",
    ),
    Buffer.from("\n"),
    commit.bytes.subarray(Math.min(commit.bytes.length, endOfHead(commit.bytes) + 2)),
  ]);
}
