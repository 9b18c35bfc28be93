/**
 * Runs for what a branch becomes by its merge queue. The files that run for a merge request into the branch run, so none has to name
 * the queue. They are trusted as runs of those merge requests are; whoever adds one from a fork stands for its commits, so nobody is
 * asked again, but nothing of a fork gets secrets.
 */
import { listsEvent, matchTriggers } from "@forgeline/compiler/triggers.ts";
import {
  maxChangedPaths,
  usualMergeRequestTypes,
  type PipelineEvent,
} from "@forgeline/schemas/pipeline-file/event.ts";
import type { Reach } from "../../../platform/access/reach.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import {
  compileFile,
  findPipelineFiles,
  type CompiledFile,
  type FileDeps,
} from "../compile/pipeline-files.ts";
import { requireInputs } from "../compile/run-inputs.ts";
import { actorOf } from "../compile/template-reader.ts";
import type { CheckOutcome, CheckWanted } from "../../hosting/domain.ts";
import { findChecks } from "../runs/checks.ts";
import { cancelBecause } from "../runs/change-run.ts";
import { createRun, newRunOf, type NewRun } from "../runs/create-run.ts";
import { makeEvent } from "../runs/make-event.ts";
import { brokenSet, withinBounds } from "../runs/push-follower.ts";
import { mergeVariables, readSetVariables } from "../variables/run-variables.ts";
import { hasPassed, openAmong, readRuns, type QueueRunRow } from "./queue-runs.store.ts";
import { findRepository } from "./subjects.store.ts";

/** What is to be tested. */
export interface QueuedCommit {
  repositoryId: string;
  /** Of the batch: the same one gets runs once. */
  batchId: string;
  /** Keeps the commit. */
  ref: string;
  sha: string;
  /** Where the target branch is. */
  base: string;
  /** The last one that it brings; `labels`: those that all have; `fork`: one of them is from a fork. */
  mergeRequest: Omit<NonNullable<PipelineEvent["mergeRequest"]>, "base_sha" | "types">;
  /** Who queued that one, and how far their credential reached, if all is theirs. */
  userId: string;
  username: string;
  reach: Reach;
}

/** With the runs that were made to test it. */
export interface TestedCommit {
  sha: string;
  runs: readonly string[];
}

export interface MergeQueueRuns {
  /** Reads and compiles the files of the commit. What it gives back writes their runs, and gives their ids. Writing twice makes them once. */
  prepare(commit: QueuedCommit): Promise<(tx: Transaction) => Promise<string[]>>;
  /** In the order of their numbers; those that were deleted are left out. */
  read(ids: readonly string[]): Promise<QueueRunRow[]>;
  /** What became of each in these runs, whatever others of the same commit say; in their order. */
  checks(repositoryId: string, tested: TestedCommit, wanted: readonly CheckWanted[]): Promise<CheckOutcome[]>;
  /** Whether one of them has succeeded, or its conditions skipped it. */
  hasPassed(tested: TestedCommit): Promise<boolean>;
  /** Those that are not over. */
  cancel(tx: Transaction, ids: readonly string[]): Promise<void>;
}

export function createMergeQueueRuns(deps: FileDeps & { db: Queryable }): MergeQueueRuns {
  return {
    async prepare(commit) {
      const runs = await wantedRuns(deps, commit);
      return async (tx) => {
        const ids: string[] = [];
        for (const run of runs) {
          const made = await createRun(tx, run);
          if (made) ids.push(made.id);
        }
        return ids;
      };
    },
    read: (ids) => readRuns(deps.db, ids),
    checks: (repositoryId, tested, wanted) => findChecks(deps.db, { repositoryId, ...tested }, wanted),
    hasPassed: ({ runs }) => hasPassed(deps.db, runs),
    async cancel(tx, ids) {
      for (const id of await openAmong(tx, ids)) await cancelBecause(tx, id, "merge_queue");
    },
  };
}

async function eventOf(
  { db, files }: FileDeps & { db: Queryable },
  commit: QueuedCommit,
): Promise<PipelineEvent> {
  const { repositoryId, ref, sha, base, mergeRequest, username } = commit;
  const change = { before: base, after: sha, ref, defaultBranch: mergeRequest.target_branch };
  const [repository, info, changedPaths, set] = await Promise.all([
    findRepository(db, repositoryId),
    files.commitInfo(repositoryId, sha),
    files.changedPaths(repositoryId, change, maxChangedPaths),
    readSetVariables(db, repositoryId),
  ]);
  if (!repository || !info) throw new Error("what the merge queue made is not there");
  const event = makeEvent({
    name: "merge_request",
    ref,
    commit: info,
    beforeSha: base,
    actor: username,
    changedPaths,
    repository,
    variables: mergeVariables(set, {}),
  });
  // What waits is to be merged: the usual files test it.
  const types = [...usualMergeRequestTypes];
  return { ...event, mergeRequest: { ...mergeRequest, base_sha: base, types } };
}

async function wantedRuns(deps: FileDeps & { db: Queryable }, commit: QueuedCommit): Promise<NewRun[]> {
  const { repositoryId, sha, userId, reach } = commit;
  const event = await eventOf(deps, commit);
  const { files, diagnostics } = await findPipelineFiles(deps, repositoryId, sha);
  const reader = actorOf(userId, { repositoryId, reach });
  const compiled =
    diagnostics.length > 0
      ? [brokenSet(diagnostics)]
      : await Promise.all(files.map((file) => compileFile(deps, { repositoryId, file, sha, event, reader })));
  return compiled.filter((file) => isWanted(file, event)).map((file) => runOf(commit, file, event));
}

/** One with errors must not land. */
function isWanted(file: CompiledFile, event: PipelineEvent): boolean {
  if (!file.plan) return !file.on || listsEvent(file.on, event);
  return matchTriggers(file.on, heard(event)).run;
}

/** `[skip ci]` asks in vain: authors write the message, and what was not tested must not land. */
const heard = (event: PipelineEvent): PipelineEvent => ({ ...event, commitMessage: "" });

function runOf(commit: QueuedCommit, file: CompiledFile, event: PipelineEvent): NewRun {
  const { repositoryId, batchId, userId, reach } = commit;
  const inputs = file.plan ? requireInputs(file.plan.inputs, {}, event.name) : {};
  const bounded = withinBounds(file, heard(event));
  const run = newRunOf(bounded, heard(event), { repositoryId, triggeredBy: userId });
  return {
    ...run,
    event: { ...event, inputs },
    origin: `${batchId}:${file.file}`,
    starts: { userId, elsewhere: reach === "starts" && event.mergeRequest?.fork === false },
  };
}
