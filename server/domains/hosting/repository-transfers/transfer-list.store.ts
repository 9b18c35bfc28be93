/** Offers that a viewer can answer or withdraw, filtered and counted in SQL. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { TransferQuery } from "@forgeline/schemas/repository-transfers/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { TransferListRows } from "./transfer-list.rows.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { levelSql } from "../../policy/domain.ts";
import { columns, type RepositoryRow } from "../repositories/repositories.store.ts";
import type { TransferRow } from "./repository-transfers.store.ts";

export interface ListedTransfer {
  row: RepositoryRow & { level: RepositoryLevel };
  offer: TransferRow;
}

const level = levelSql({ repository: "r", user: "$1::text", admin: "$2::boolean" });
const open = `from repository_transfers t join repositories r on r.id = t.repository_id join owners o on o.id = r.owner_id
  join repository_names n on n.repository_id = r.id join owners receiver on receiver.id = t.receiver_id left join users u on u.id = t.requested_by
  cross join lateral (select ${level} as held, t.receiver_id = $1 or exists (select 1 from organization_members m
    where m.organization_id = t.receiver_id and m.user_id = $1 and m.role = 'owner') as is_receiver) viewer
  where t.expires_at > now() and r.deleted_at is null and (viewer.is_receiver or viewer.held = 'admin')
    and ($3::text is null or lower(n.full_name) = lower($3))`;

interface Known {
  listTransfers: {
    /** Whoever can answer an offer can see the repository, and so can its admin. */
    level: RepositoryLevel;
    /** Whether the viewer is the receiver is always known: viewers have an id. */
    offered: Omit<TransferRow, "created_at" | "expires_at">;
  };
}

export const statements = defineStatements<TransferListRows, Known>({
  listTransfers: `
    select ${columns}, viewer.held as level, t.created_at as offered_at, t.expires_at as offered_until,
      json_build_object('receiver_id', t.receiver_id, 'receiver', receiver.name, 'receiver_kind', receiver.kind,
        'requested_by', u.username, 'is_receiver', viewer.is_receiver) as offered
    ${open} order by t.created_at desc, r.id limit $4 offset $5`,
});

/** Newest first. Administrators of the instance see those of others only one by one, by the repository's name. */
export async function listTransfers(
  db: Queryable,
  viewer: { userId: string; isAdmin: boolean },
  { repository, ...page }: TransferQuery,
): Promise<{ transfers: ListedTransfer[]; total: number }> {
  const params = [viewer.userId, viewer.isAdmin && repository !== undefined, repository ?? null];
  const total = await countRows(db, open, params);
  const rows = await db.query(statements.listTransfers, [...params, page.per_page, offsetOf(page)]);
  return { transfers: rows.map(toListed), total };
}

function toListed({
  offered,
  offered_at: made,
  offered_until: until,
  ...row
}: RowOf<typeof statements.listTransfers>): ListedTransfer {
  return { row, offer: { ...offered, created_at: made, expires_at: until } };
}
