/** What became of the runs of a merge request's head. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { countsSql } from "../runs/counted-runs.store.ts";
import type { StandingRows } from "./standing.rows.ts";

interface Known {
  /** Whether there are rows is never null. */
  runs: { is_due: boolean; is_running: boolean; has_failed: boolean };
}

export const statements = defineStatements<StandingRows, Known>({
  // Of each file the newest run; one that another run has run for the commit says nothing.
  runs: `
    with newest as (select distinct on (p.file) p.status, p.finished_at from pipelines p
      where p.repository_id = $1 and ${countsSql("$3")}
        and p.source in ('push', 'merge_request') and p.parent_id is null
        and not (p.status = 'skipped' and split_part(p.reason, ':', 1) in ('merge_request', 'pushed', 'merge_conflict'))
      order by p.file, p.number desc)
    select exists (select from merge_request_subjects s where s.repository_id = $1 and s.number = $3::int and s.due_at is not null) as is_due,
      exists (select from newest where finished_at is null) as is_running,
      exists (select from newest where status not in ('success', 'skipped')) as has_failed`,
});

/** `due`: some may still be made. `running`: one has not ended. `passed`: all have succeeded, or there are none. */
export type RunStanding = "due" | "running" | "failed" | "passed";

export async function findStanding(
  db: Queryable,
  repositoryId: string,
  { number, sha }: { number: number; sha: string },
): Promise<RunStanding> {
  const found = await db.one(statements.runs, [repositoryId, sha, number]);
  if (found?.is_due) return "due";
  if (found?.is_running) return "running";
  return found?.has_failed ? "failed" : "passed";
}
