/** What exactly a merge request has brought into its target branch, as the way from one commit to another. */
import { isAncestor } from "../../../../platform/git/history/is-ancestor.ts";
import { mergeBase } from "../../../../platform/git/history/history.ts";
import type { RunGit } from "../../../../platform/git/processes/run-git.ts";
import type { MergeRequestRow } from "../merge-requests.store.ts";

/** Full ids. */
export interface MergedRange {
  from: string;
  to: string;
}

export type MergedHow = Pick<MergeRequestRow, "merge_strategy" | "target_sha" | "head_sha"> & {
  merge_sha: string;
};

/** Of what was pushed with a merge that somebody made with Git. */
const maxMerges = 1_000;

/** Undefined where the repository does not say so any more. */
export async function findMergedRange(
  runGit: RunGit,
  directory: string,
  merged: MergedHow,
): Promise<MergedRange | undefined> {
  const { merge_strategy: strategy, merge_sha: to, target_sha: from } = merged;
  if (strategy === null) return rangeOfGit(runGit, directory, merged);
  // What the target branch was before stands in the record too, but a parent cannot be wrong.
  if (strategy === "merge" || strategy === "squash") return rangeOfCommit(runGit, directory, to);
  const isOn = await isAncestor(runGit, { directory, quarantine: null, before: from, after: to });
  return isOn ? { from, to } : undefined;
}

async function rangeOfCommit(
  runGit: RunGit,
  directory: string,
  to: string,
): Promise<MergedRange | undefined> {
  const { stdout, exitCode } = await runGit({
    directory,
    args: ["rev-parse", "--verify", "--quiet", `${to}^1`],
    acceptExitCodes: [0, 1, 128],
  });
  return exitCode === 0 ? { from: stdout.toString("latin1").trim(), to } : undefined;
}

/** A push can bring more than the merge request: its merge commit is looked for, and without one its own commits count. */
async function rangeOfGit(
  runGit: RunGit,
  directory: string,
  { merge_sha: tip, target_sha: before, head_sha: head }: MergedHow,
): Promise<MergedRange | undefined> {
  const { stdout, exitCode } = await runGit({
    directory,
    args: [
      "rev-list",
      "--merges",
      "--parents",
      `--max-count=${maxMerges}`,
      "--end-of-options",
      tip,
      `^${before}`,
    ],
    acceptExitCodes: [0, 128],
  });
  if (exitCode !== 0) return undefined;
  const merges = stdout
    .toString("latin1")
    .split("\n")
    .map((line) => line.split(" "));
  const [to, from] = merges.find(([, , ...others]) => others.includes(head)) ?? [];
  if (to !== undefined && from !== undefined) return { from, to };
  const base = await mergeBase(runGit, directory, { one: before, other: head });
  return base === undefined || base === head ? undefined : { from: base, to: head };
}
