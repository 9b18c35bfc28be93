/** Merging a merge request by REST, against `git` alone, which makes and keeps the same commit in a copy of the repository. */
import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeBranches, openMergeRequest, untilCompared, type BranchesMade } from "../branches.ts";
import { atMost } from "../figures.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { median } from "../statistics.ts";

const execute = promisify(execFile);
const moreAtMostMs = 120;
const files = 400;

async function run(bench: Bench): Promise<ScenarioResult> {
  const samples = Math.ceil(bench.size.collaboration.samples / 2);
  const wanted = { name: "merge-button", files, branches: samples, commits: 1, changed: 3 };
  const made = await makeBranches(bench, wanted);
  const copy = join(bench.directory, "merge-button-copy.git");
  await cp(made.git.directoryOf(made.id), copy, { recursive: true });
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let branch = 1; branch <= samples; branch++) {
    // No other one is open, so that none is compared again meanwhile.
    const number = await openMergeRequest(bench, made, branch);
    await untilCompared(bench, made.id);
    const beganMs = performance.now();
    await bench.client.call("PUT", `${made.path}/merge-requests/${number}/merge`, { strategy: "merge" });
    ours.push(performance.now() - beganMs);
    theirs.push(await mergeWithGit(made, copy, `work-${branch}`));
  }
  const git = median(theirs);
  return {
    figures: [
      atMost("merge, over the same by Git (median)", {
        value: median(ours) - git,
        limit: moreAtMostMs,
        unit: "ms",
        more: `${median(ours).toFixed(0)} ms against ${git.toFixed(0)} ms`,
      }),
    ],
    parts: [],
  };
}

/** The tree, the commit, and the branch, each by its command. */
async function mergeWithGit({ git }: BranchesMade, directory: string, branch: string): Promise<number> {
  const names = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" };
  const env = {
    ...git.env,
    ...names,
    GIT_COMMITTER_NAME: names.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: names.GIT_AUTHOR_EMAIL,
  };
  const output = async (...args: string[]) =>
    (await execute("git", ["-c", "core.fsync=all", ...args], { cwd: directory, env })).stdout.trim();
  const beganMs = performance.now();
  const tree = await output("merge-tree", "--write-tree", "main", branch);
  const commit = await output("commit-tree", "-p", "main", "-p", branch, "-m", `Merge ${branch}`, tree);
  await output("update-ref", "refs/heads/main", commit);
  return performance.now() - beganMs;
}

export const mergeButtonScenario: Scenario = {
  number: 36,
  title: () => "Merging by button, against `git merge-tree`, `commit-tree` and `update-ref`",
  isLong: true,
  run,
};
