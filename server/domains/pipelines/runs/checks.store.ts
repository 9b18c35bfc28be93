/** The newest run of each wanted file for a commit, with the jobs that are asked for. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { ChecksRows } from "./checks.rows.ts";
import { countsSql, isLeftOutSql, isResultDueSql } from "./counted-runs.store.ts";

interface Known {
  /** Made here. */
  newestRuns: { jobs: { key: string; status: Status; reason: string | null }[] };
  /** Whether there are rows is never null. */
  isResultDue: { is_due: boolean };
}

export const statements = defineStatements<ChecksRows, Known>({
  newestRuns: `
    select distinct on (p.file) p.id, p.number, p.file, p.status, p.reason,
      (select coalesce(json_agg(json_build_object('key', j.key, 'status', j.status, 'reason', j.reason)), '[]')
        from jobs j where j.pipeline_id = p.id and j.key = any ($4::text[])) as jobs
    from pipelines p
    join repositories r on r.id = p.repository_id
    where p.repository_id = $1 and ${countsSql("$6")}
      and p.file = any ($3::text[]) and p.parent_id is null
      and ($5::text[] is null or p.id = any ($5))
      -- Anybody can propose a commit from a fork; what waits for an approval, or got none, says nothing of it.
      and not p.needs_approval
      and not (${isLeftOutSql})
    -- Where the merged result is tested, that counts before what ran for the head.
    order by p.file, (p.head_sha is not null and r.merge_request_pipelines = 'merged_result') desc, p.number desc`,
  isResultDue: `select ${isResultDueSql("$2")} as is_due`,
});

export type CheckedRun = RowOf<typeof statements.newestRuns>;

export interface CheckedCommit {
  repositoryId: string;
  sha: string;
  /** The merge request whose head it is: what ran on its merged result counts as well. */
  mergeRequest?: number | undefined;
  /** Only these count, by id. Absent: all runs of the commit. */
  runs?: readonly string[] | null;
}

/** Runs that other runs started are no checks of the commit. */
export function newestRuns(
  db: Queryable,
  { repositoryId, sha, mergeRequest = 0, runs = null }: CheckedCommit,
  { files, jobs }: { files: readonly string[]; jobs: readonly string[] },
): Promise<CheckedRun[]> {
  return db.query(statements.newestRuns, [repositoryId, sha, files, jobs, runs, mergeRequest]);
}

/** The merged result of the merge request is still to be tested: what ran before does not count. */
export async function isResultDue(
  db: Queryable,
  { repositoryId, mergeRequest }: CheckedCommit,
): Promise<boolean> {
  if (mergeRequest === undefined) return false;
  return (await db.one(statements.isResultDue, [repositoryId, mergeRequest]))?.is_due ?? false;
}
