/** Records the result of an attempt, once, and only when its log is complete or the wait for it is over. */
import type { JobResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { LogIngest } from "../logs/ingest.ts";
import { publishArtifacts } from "../artifacts/publish.ts";
import { recordReports } from "../reports/record.ts";
import { recordAttemptDone } from "../runs/attempt-facts.ts";
import { awaitLogs, isHeld } from "./leases.store.ts";
import type { LeaseName } from "./leases.ts";

export interface ResultDeps {
  db: Database;
  logs: Pick<LogIngest, "missing" | "areComplete" | "closeIncomplete">;
  logsWaitMs: number;
  /** Told when an accepted result has brought reports. */
  reportReader: { wake(): void };
}

export type ResultAnswer = "recorded" | "stale" | { missing: Record<string, number> };

/** May be called any number of times with the same result. `missing`: send these streams from there, then ask again. */
export async function recordResult(
  deps: ResultDeps,
  done: LeaseName & { result: JobResult },
): Promise<ResultAnswer> {
  const missing = await deps.logs.missing(done.attemptId);
  const incomplete = Object.keys(missing).length > 0;
  if (incomplete && !(await awaitLogs(deps.db, done, deps.logsWaitMs))) {
    // A lease that has ended needs nothing more: its streams are closed, or soon will be.
    return (await isHeld(deps.db, done)) ? { missing } : recordNow(deps, done, false);
  }
  const answer = await recordNow(deps, done, !incomplete && (await deps.logs.areComplete(done.attemptId)));
  if (answer === "recorded" && incomplete) await deps.logs.closeIncomplete(done.attemptId);
  return answer;
}

async function recordNow(
  deps: ResultDeps,
  done: LeaseName & { result: JobResult },
  logComplete: boolean,
): Promise<"recorded" | "stale"> {
  const { attemptId, epoch, result } = done;
  const taken = await deps.db.transaction(async (tx) => {
    if (!(await recordAttemptDone(tx, { attemptId, epoch, result, logComplete }))) return undefined;
    await publishArtifacts(tx, { attemptId, epoch, ids: result.artifacts ?? [] });
    return { hasReports: await recordReports(tx, { attemptId, epoch, id: result.reports }) };
  });
  if (taken?.hasReports) deps.reportReader.wake();
  return taken ? "recorded" : "stale";
}
