/** What waits for one person over all repositories: gates, and runs whose commit comes from a fork. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { AwaitedRows } from "./awaited.rows.ts";
import { awaitedSql, gateColumns, type KnownOfGate } from "./gates.store.ts";
import { mayApproveSql } from "./may-approve.store.ts";

interface Known {
  /** As for the gates of one run. */
  listGates: KnownOfGate;
}

const level = levelSql({ repository: "r", user: "u.id", admin: "false" });

// Who may only because they administer the instance are not asked by mail either.
const from = `from (
  select g.opened_at as since, g.id as gate_id, p.id as pipeline_id
  from approval_gates g join pipelines p on p.id = g.pipeline_id and p.sequence = g.sequence
    join repositories r on r.id = p.repository_id join users u on u.id = $1
  where g.state = 'open' and g.expires_at > now() and p.finished_at is null and (g.rule ->> 'count')::int > 0
    and not exists (select from approvals a where a.gate_id = g.id and a.user_id = u.id)
    and ${awaitedSql} and ${mayApproveSql("false")}
  union all
  select p.created_at, null, p.id
  from pipelines p join repositories r on r.id = p.repository_id join users u on u.id = $1
  where p.status = 'awaiting_approval' and p.finished_at is null and p.needs_approval and p.plan is not null
    and u.type = 'user' and not u.suspended and ${level} >= 'write') w
  join pipelines p on p.id = w.pipeline_id join repository_names n on n.repository_id = p.repository_id`;

export const statements = defineStatements<AwaitedRows, Known>({
  listAwaited: `
    select w.gate_id, w.pipeline_id, n.full_name as repository, p.number, p.ref, p.sha,
      p.event ->> 'commitMessage' as commit_message, p.event ->> 'commitAuthor' as commit_author
    ${from} order by w.since, w.gate_id, w.pipeline_id limit $2 offset $3`,
  listGates: `
    select ${gateColumns("$1")} from approval_gates g join pipelines p on p.id = g.pipeline_id
      join repositories r on r.id = p.repository_id
    where g.id = any($2)`,
});

export type AwaitedRow = RowOf<typeof statements.listAwaited>;
export type AwaitedGateRow = RowOf<typeof statements.listGates>;

/** What the user may decide for a reason of their own and has not yet, oldest first. */
export async function listAwaited(
  db: Queryable,
  userId: string,
  query: PageQuery,
): Promise<{ rows: AwaitedRow[]; total: number }> {
  const rows = await db.query(statements.listAwaited, [userId, query.per_page, offsetOf(query)]);
  return { rows, total: await countRows(db, from, [userId]) };
}

/** By their ids, as this user sees them. */
export function listGatesOf(
  db: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<AwaitedGateRow[]> {
  return db.query(statements.listGates, [userId, ids]);
}
