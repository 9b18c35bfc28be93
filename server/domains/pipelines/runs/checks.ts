/** What became of the runs and jobs that rules for branches require of a commit. */
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { CheckOutcome, CheckState, CheckWanted } from "../../hosting/domain.ts";
import { isResultDue, newestRuns, type CheckedCommit, type CheckedRun } from "./checks.store.ts";

export type JudgedRun = Pick<CheckedRun, "status" | "reason" | "jobs">;

/** In the order of what is wanted. Where the merged result is still to be tested, each is under way, whatever ran before. */
export async function findChecks(
  db: Queryable,
  commit: CheckedCommit,
  wanted: readonly CheckWanted[],
): Promise<CheckOutcome[]> {
  if (await isResultDue(db, commit)) return wanted.map((check) => ({ check, state: "running", run: null }));
  const files = [...new Set(wanted.map(({ pipeline }) => pipeline))];
  const jobs = wanted.flatMap(({ job }) => (job === undefined ? [] : [job]));
  const runs = await newestRuns(db, commit, { files, jobs });
  const byFile = new Map(runs.map((run) => [run.file, run]));
  return wanted.map((check) => {
    const run = byFile.get(check.pipeline);
    return {
      check,
      state: stateOfCheck(run, check.job),
      run: run ? { id: run.id, number: run.number } : null,
    };
  });
}

const ranNothing: ReadonlySet<string> = new Set(["skip_ci", "merge_conflict"]);

/**
 * A job counts for itself, whatever the rest of its run does. What a condition skipped counts as skipped; what was not reached
 * because something before it failed has not passed, and neither `[skip ci]` nor a conflict leaves anything that could.
 */
export function stateOfCheck(run: JudgedRun | undefined, job: string | undefined): CheckState {
  if (!run || (run.status === "skipped" && ranNothing.has(run.reason ?? ""))) return "missing";
  if (job === undefined) return stateOf(run.status);
  const rows = run.jobs.filter(({ key }) => key === job);
  if (rows.length === 0) return run.status === "error" ? "failed" : "missing";
  const states = rows.map(({ status, reason }) =>
    status === "skipped" && !isRightlySkipped(reason, run.status) ? "failed" : stateOf(status),
  );
  const order = ["failed", "running", "passed"] as const;
  return order.find((state) => states.includes(state)) ?? "skipped";
}

function stateOf(status: Status): CheckState {
  if (!isFinal(status)) return "running";
  if (status === "success") return "passed";
  return status === "skipped" ? "skipped" : "failed";
}

/** By a condition: its own, or one of what it needs, in a run in which nothing failed. */
function isRightlySkipped(reason: string | null, run: Status): boolean {
  if (/^(when:|matrix_)/.test(reason ?? "")) return true;
  return /^(need_skipped|stage_skipped)(:|$)/.test(reason ?? "") && (run === "success" || run === "skipped");
}
