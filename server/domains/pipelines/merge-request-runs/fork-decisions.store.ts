/** What people have decided about runs whose commits come from a fork. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { ForkDecisionsRows } from "./fork-decisions.rows.ts";

const level = levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" });

export const statements = defineStatements<ForkDecisionsRows>({
  find: `
    select p.id, p.repository_id, p.merge_request_number as number, p.sha, coalesce(p.head_sha, p.sha) as head_sha, p.needs_approval, p.finished_at is null as is_open,
      encode(sha256(convert_to(p.plan::text, 'UTF8')), 'hex') as plan_sha256, p.event #>> '{mergeRequest,author}' as author,
      d.decision, d.comment, d.decided_at, d.plan_sha256 as decided_sha256, d.user_id, b.username,
      coalesce((select u.type = 'user' and not u.suspended and ${level} >= 'write' from users u, repositories r
        where u.id = $2 and r.id = p.repository_id), false) as may_decide
    from pipelines p left join fork_decisions d on d.pipeline_id = p.id left join users b on b.id = d.user_id
    where p.id = $1 and p.plan is not null
      and (p.needs_approval or d.pipeline_id is not null)`,
  insert: `
    insert into fork_decisions (pipeline_id, decision, sha, plan_sha256, user_id, comment) values ($1, $2, $3, $4, $5, $6)`,
});

export type ForkRunRow = RowOf<typeof statements.find>;

/** undefined for a run that nobody is or was asked about. `userId`: whose right to decide is told. */
export function findForkRun(
  db: Queryable,
  pipelineId: string,
  userId: string | null,
): Promise<ForkRunRow | undefined> {
  return db.one(statements.find, [pipelineId, userId]);
}

export async function insertDecision(
  tx: Transaction,
  run: ForkRunRow,
  given: { decision: "approve" | "reject"; userId: string; comment: string },
): Promise<void> {
  const { decision, userId, comment } = given;
  await tx.query(statements.insert, [run.id, decision, run.sha, run.plan_sha256, userId, comment]);
}
