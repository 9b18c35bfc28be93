/** Gates over all repositories that wait for one person. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { AwaitedRows } from "./awaited.rows.ts";
import { awaitedSql, gateColumns, type KnownOfGate } from "./gates.store.ts";
import { mayApproveSql } from "./may-approve.store.ts";

interface Known {
  /** As for the gates of one run. */
  listAwaited: KnownOfGate;
}

// Who may only because they administer the instance are not asked by mail either.
const from = `
  from approval_gates g join pipelines p on p.id = g.pipeline_id and p.sequence = g.sequence
    join repositories r on r.id = p.repository_id join repository_names n on n.repository_id = r.id join users u on u.id = $1
  where g.state = 'open' and g.expires_at > now() and p.finished_at is null and (g.rule ->> 'count')::int > 0
    and not exists (select from approvals a where a.gate_id = g.id and a.user_id = u.id)
    and ${awaitedSql} and ${mayApproveSql("false")}`;

export const statements = defineStatements<AwaitedRows, Known>({
  listAwaited: `
    select ${gateColumns("$1")}, n.full_name as repository, p.id as pipeline_id, p.number, p.ref,
      p.event ->> 'commitMessage' as commit_message, p.event ->> 'commitAuthor' as commit_author
    ${from} order by g.opened_at, g.id limit $2 offset $3`,
});

export type AwaitedRow = RowOf<typeof statements.listAwaited>;

/** Open ones at which the user may decide for a reason of their own and has not yet, oldest first. */
export async function listAwaited(
  db: Queryable,
  userId: string,
  query: PageQuery,
): Promise<{ rows: AwaitedRow[]; total: number }> {
  const rows = await db.query(statements.listAwaited, [userId, query.per_page, offsetOf(query)]);
  return { rows, total: await countRows(db, from, [userId]) };
}
