/** Recording the result of an attempt, once, and only when its log is there or has been waited for long enough. */
import type { JobResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { LogIngest } from "../logs/ingest.ts";
import { recordAttemptDone } from "../runs/attempt-facts.ts";
import type { LeaseName } from "./leases.ts";

export interface ResultDeps {
  db: Database;
  logs: Pick<LogIngest, "missing" | "closeIncomplete">;
  logsWaitMs: number;
}

export type ResultAnswer = "recorded" | "stale" | { missing: Record<string, number> };

/** May be called any number of times with the same result. `missing`: send these streams from there, then ask again. */
export async function recordResult(
  deps: ResultDeps,
  done: LeaseName & { result: JobResult },
): Promise<ResultAnswer> {
  const missing = await deps.logs.missing(done.attemptId);
  const incomplete = Object.keys(missing).length > 0;
  if (incomplete && !(await waitedLongEnough(deps, done))) {
    // Nothing is asked of a lease that is over: its streams are closed, or soon will be.
    return (await isHeld(deps.db, done)) ? { missing } : recordNow(deps, done, false);
  }
  const answer = await recordNow(deps, done, !incomplete && (await allComplete(deps.db, done.attemptId)));
  if (answer === "recorded" && incomplete) await deps.logs.closeIncomplete(done.attemptId);
  return answer;
}

async function recordNow(
  deps: ResultDeps,
  done: LeaseName & { result: JobResult },
  logComplete: boolean,
): Promise<"recorded" | "stale"> {
  const { attemptId, epoch, result } = done;
  const taken = await deps.db.transaction((tx) =>
    recordAttemptDone(tx, { attemptId, epoch, result, logComplete }),
  );
  return taken ? "recorded" : "stale";
}

async function isHeld(db: Database, lease: LeaseName): Promise<boolean> {
  const row = await db.one("select from job_attempts where id = $1 and epoch = $2 and state = 'leased'", [
    lease.attemptId,
    lease.epoch,
  ]);
  return row !== undefined;
}

async function waitedLongEnough(deps: ResultDeps, lease: LeaseName): Promise<boolean> {
  const row = await deps.db.one<{ overdue: boolean }>(
    `update job_attempts set logs_awaited_since = coalesce(logs_awaited_since, now())
     where id = $1 and epoch = $2 and state = 'leased'
     returning logs_awaited_since <= now() - $3 * interval '1 millisecond' as overdue`,
    [lease.attemptId, lease.epoch, deps.logsWaitMs],
  );
  return row?.overdue ?? false;
}

async function allComplete(db: Database, attemptId: string): Promise<boolean> {
  const row = await db.one<{ complete: boolean | null }>(
    "select bool_and(coalesce(complete, false)) as complete from log_streams where attempt_id = $1",
    [attemptId],
  );
  return row?.complete ?? true;
}
