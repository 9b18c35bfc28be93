/** Lists merge requests, filtered, a page in one statement. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, unpreparedOf, variantOf } from "../../../platform/db/statement.ts";
import type { ListConditions, SearchOrder } from "../search/conditions.ts";
import { conditionsSql } from "../search/conditions.store.ts";
import type { ListRows } from "./list.rows.ts";
import { columns, from, type KnownOfMergeRequest, type MergeRequestRow } from "./merge-requests.store.ts";

interface Known {
  /** As in the store of single ones. */
  listMergeRequests: KnownOfMergeRequest;
}

const orders = { created: "w.number", updated: "w.updated_at", comments: "w.comments_count" } as const;

/** `next` is the number of the next parameter: after the page comes who looks at it. */
const listSql = (place: string, order: string, next: number) =>
  `select ${columns(`$${next + 2}`)} ${place} order by ${order} limit $${next} offset $${next + 1}`;

export const statements = defineStatements<ListRows, Known>({
  listMergeRequests: listSql(from, "w.number desc", 1),
});

export interface ListedMergeRequests extends PageQuery, ListConditions {
  sourceBranch: string | undefined;
  targetBranch: string | undefined;
  order: SearchOrder;
}

/** Where, and for whom. */
export interface ListPlace {
  repositoryId: string;
  viewerId: string | null;
}

export async function listMergeRequests(
  db: Queryable,
  { repositoryId, viewerId }: ListPlace,
  { conditions, isOwn, order, page, per_page: perPage, sourceBranch, targetBranch }: ListedMergeRequests,
): Promise<{ rows: MergeRequestRow[]; total: number }> {
  const params: unknown[] = [repositoryId];
  const parts = conditionsSql(conditions, { params, repository: "$1" });
  if (sourceBranch) parts.push(`m.source_branch = $${params.push(sourceBranch)}`);
  if (targetBranch) parts.push(`m.target_branch = $${params.push(targetBranch)}`);
  const place = `${from} where ${["w.repository_id = $1", "w.kind = 'merge_request'", ...parts].join(" and ")}`;
  const { sort, direction } = order;
  const orderBy = `${orders[sort]} ${direction}, w.number ${direction}`;
  const text = listSql(place, orderBy, params.length + 1);
  const statement = isOwn
    ? unpreparedOf(statements.listMergeRequests, text)
    : variantOf(statements.listMergeRequests, text);
  const [rows, total] = await Promise.all([
    db.query(statement, [...params, perPage, (page - 1) * perPage, viewerId]),
    countRows(db, isOwn ? { unprepared: place } : place, params),
  ]);
  return { rows, total };
}
