/** Rows of `pipelines` whose time is over. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { OldRunsRows } from "./old-runs.rows.ts";

const listedAtOnce = 100;
const hasLogs = "(p.logs_removed_at is null or p.logs_removed_at < p.finished_at)";
const hasArtifacts = "exists (select from artifacts x where x.pipeline_id = p.id)";

export const statements = defineStatements<OldRunsRows>({
  listOld: `
    select p.id, p.number, p.event ->> 'branch' as branch, ${hasLogs} as has_logs, ${hasArtifacts} as has_artifacts,
      not exists (select from pipelines q
        where q.repository_id = p.repository_id and q.ref = p.ref and q.number > p.number and q.file = p.file) as newest,
      exists (select from deployments d join job_attempts a on a.id = d.attempt_id
        where a.pipeline_id = p.id and a.status = 'success' and not exists (
          select from deployments e join job_attempts b on b.id = e.attempt_id
          where e.environment_id = d.environment_id and b.status = 'success' and (e.created_at, e.id) > (d.created_at, d.id))
      ) as deployed
    from pipelines p
    where p.repository_id = $1 and p.finished_at < now() - $2 * interval '1 day' and p.number > $3
    order by p.number limit ${listedAtOnce}`,
  markWithoutLogs: "update pipelines set logs_removed_at = now() where id = $1",
  remove: `
    delete from pipelines p where p.id = $1 and p.finished_at < now() - $2 * interval '1 day' and not ${hasArtifacts}
    returning p.id`,
});

export type OldRun = RowOf<typeof statements.listOld>;

/** Some runs of a repository that ended so many days ago, by their number, behind `after`. */
export function listOld(
  db: Queryable,
  { repositoryId, days, after }: { repositoryId: string; days: number; after: number },
): Promise<OldRun[]> {
  return db.query(statements.listOld, [repositoryId, days, after]);
}

export async function markWithoutLogs(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.markWithoutLogs, [id]);
}

/** With all rows that belong to it. False where it runs again, or has artifacts: their objects would be left. */
export async function remove(db: Queryable, id: string, days: number): Promise<boolean> {
  return (await db.one(statements.remove, [id, days])) !== undefined;
}
