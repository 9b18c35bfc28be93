/** What people have decided about runs whose commits come from a fork. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { ForkDecisionsRows } from "./fork-decisions.rows.ts";

const level = levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" });

const forkRuns = `
    select p.id, p.repository_id, p.merge_request_number as number, p.sha, coalesce(p.head_sha, p.sha) as head_sha, p.needs_approval, p.finished_at is null as is_open,
      encode(sha256(convert_to(p.plan::text, 'UTF8')), 'hex') as plan_sha256, p.event #>> '{mergeRequest,author}' as author,
      d.decision, d.comment, d.decided_at, d.plan_sha256 as decided_sha256, d.user_id, b.username,
      coalesce((select u.type = 'user' and not u.suspended and ${level} >= 'write' from users u, repositories r
        where u.id = $2 and r.id = p.repository_id), false) as may_decide
    from pipelines p left join fork_decisions d on d.pipeline_id = p.id left join users b on b.id = d.user_id
    where p.plan is not null and (p.needs_approval or d.pipeline_id is not null)`;

export const statements = defineStatements<ForkDecisionsRows>({
  find: `${forkRuns} and p.id = $1`,
  list: `${forkRuns} and p.id = any($1)`,
  findMergeRequestOf: `
    select p.repository_id, p.merge_request_number as number, exists (select 1 from pipelines o
      where o.repository_id = p.repository_id and o.merge_request_number = p.merge_request_number
        and o.needs_approval and o.finished_at is null) as waits
    from pipelines p where p.id = $1`,
  // The limit of the organization comes before that of the instance.
  listUnapproved: `
    select p.id, p.repository_id, p.number, p.merge_request_number, p.sha, n.full_name as repository
    from pipelines p join repositories r on r.id = p.repository_id join repository_names n on n.repository_id = r.id
    where p.finished_at is null and p.status = 'awaiting_approval' and p.needs_approval and p.id > $2
      and p.created_at < now() - make_interval(days => coalesce((
        select l.value from pipeline_limits l
        where l.name = 'approval_days' and (l.organization_id is null or l.organization_id = r.owner_id)
        order by l.organization_id is null limit 1), $1::int))
    order by p.id limit 100`,
  insert: `
    insert into fork_decisions (pipeline_id, decision, sha, plan_sha256, user_id, comment) values ($1, $2, $3, $4, $5, $6)`,
});

export type UnapprovedRun = RowOf<typeof statements.listUnapproved>;
export type ForkRunRow = RowOf<typeof statements.find>;

/** undefined for a run that nobody is or was asked about. `userId`: whose right to decide is told. */
export function findForkRun(
  db: Queryable,
  pipelineId: string,
  userId: string | null,
): Promise<ForkRunRow | undefined> {
  return db.one(statements.find, [pipelineId, userId]);
}

/** As `findForkRun`, of several. */
export function listForkRuns(
  db: Queryable,
  pipelineIds: readonly string[],
  userId: string,
): Promise<ForkRunRow[]> {
  return db.query(statements.list, [pipelineIds, userId]);
}

export async function insertDecision(
  tx: Transaction,
  run: ForkRunRow,
  given: { decision: "approve" | "reject"; userId: string; comment: string },
): Promise<void> {
  const { decision, userId, comment } = given;
  await tx.query(statements.insert, [run.id, decision, run.sha, run.plan_sha256, userId, comment]);
}

/** Of a run of a merge request; `waits`: one of its runs does so still. */
export function findMergeRequestOf(db: Queryable, pipelineId: string) {
  return db.one(statements.findMergeRequestOf, [pipelineId]);
}

/** A page of those that have waited too long, in the order of their ids. `days`: where nobody has set a limit. */
export function listUnapproved(
  db: Queryable,
  { days, after }: { days: number; after: string },
): Promise<UnapprovedRun[]> {
  return db.query(statements.listUnapproved, [days, after]);
}
