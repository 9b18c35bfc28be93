/** Lists merge requests, filtered, a page in one statement. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, unpreparedOf, variantOf, type RowOf } from "../../../platform/db/statement.ts";
import type { ListConditions, SearchOrder } from "../search/conditions.ts";
import { conditionsSql } from "../search/conditions.store.ts";
import type { ListRows } from "./list.rows.ts";
import { columns, from, type KnownOfMergeRequest } from "./merge-requests.store.ts";
import { fromDecisions, type DecisionRow } from "./requirements/decisions.store.ts";

interface Known {
  /** As in the store of single ones. */
  listMergeRequests: KnownOfMergeRequest & { decisions: DecisionRow[] | null };
}

const orders = { created: "w.number", updated: "w.updated_at", comments: "w.comments_count" } as const;

/** As in the statement of a single one; null where nobody asks. */
const decisionsSql = (isAsked: string) => `case when m.is_open and ${isAsked} then (
      select coalesce(jsonb_agg(jsonb_build_object('user_id', d.user_id, 'person', user_snapshot(d.user_id), 'state', d.state,
        'head_sha', d.head_sha, 'may_write', d.may_write) order by d.user_id), '[]') ${fromDecisions("m.id")}) end as decisions`;

/** `next` is the number of the next parameter: after the page come who looks at it, and whether decisions are asked for. */
const listSql = (place: string, order: string, next: number) =>
  `select ${columns(`$${next + 2}`)}, ${decisionsSql(`$${next + 3}::boolean`)}
    ${place} order by ${order} limit $${next} offset $${next + 1}`;

export const statements = defineStatements<ListRows, Known>({
  listMergeRequests: listSql(from, "w.number desc", 1),
});

export type ListedRow = RowOf<typeof statements.listMergeRequests>;

export interface ListedMergeRequests extends PageQuery, ListConditions {
  sourceBranch: string | undefined;
  targetBranch: string | undefined;
  order: SearchOrder;
}

/** Where, and for whom. */
export interface ListPlace {
  repositoryId: string;
  viewerId: string | null;
  /** Whether what reviews have decided is asked for. */
  wantsDecisions: boolean;
}

export async function listMergeRequests(
  db: Queryable,
  { repositoryId, viewerId, wantsDecisions }: ListPlace,
  { conditions, isOwn, order, page, per_page: perPage, sourceBranch, targetBranch }: ListedMergeRequests,
): Promise<{ rows: ListedRow[]; total: number }> {
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
    db.query(statement, [...params, perPage, (page - 1) * perPage, viewerId, wantsDecisions]),
    countRows(db, isOwn ? { unprepared: place } : place, params),
  ]);
  return { rows, total };
}
