/** Reads issues, one or many, each with all that its record shows, in one statement. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, unpreparedOf, variantOf, type RowOf } from "../../../platform/db/statement.ts";
import { needsOwnPlan, type Condition, type SearchOrder } from "../search/conditions.ts";
import { conditionsSql } from "../search/conditions.store.ts";
import { itemColumns, type KnownOfItem } from "../work-items/columns.store.ts";
import type { IssuesRows } from "./issues.rows.ts";

interface Known {
  /** Why is said there. */
  findIssue: KnownOfItem;
  /** As above. */
  listIssues: KnownOfItem;
}

const orders = { created: "w.number", updated: "w.updated_at", comments: "w.comments_count" } as const;

/** `next` is the number of the next parameter. */
const listSql = (from: string, order: string, next: number) =>
  `select ${itemColumns} ${from} order by ${order} limit $${next} offset $${next + 1}`;

export const statements = defineStatements<IssuesRows, Known>({
  findIssue: `select ${itemColumns} from work_items w where w.repository_id = $1 and w.number = $2 and w.kind = 'issue'`,
  listIssues: listSql("from work_items w", "w.number desc", 1),
});

export type IssueRow = RowOf<typeof statements.findIssue>;

export function findIssue(
  db: Queryable,
  repositoryId: string,
  number: number,
): Promise<IssueRow | undefined> {
  return db.one(statements.findIssue, [repositoryId, number]);
}

export interface ListedIssues extends PageQuery {
  conditions: readonly Condition[];
  order: SearchOrder;
}

export async function listIssues(
  db: Queryable,
  repositoryId: string,
  { conditions, order, page, per_page: perPage }: ListedIssues,
): Promise<{ rows: IssueRow[]; total: number }> {
  const params: unknown[] = [repositoryId];
  const parts = conditionsSql(conditions, { params, repository: "$1" });
  const from = `from work_items w where ${["w.repository_id = $1", "w.kind = 'issue'", ...parts].join(" and ")}`;
  const { sort, direction } = order;
  const orderBy = `${orders[sort]} ${direction}, w.number ${direction}`;
  const isOwn = needsOwnPlan(conditions);
  const text = listSql(from, orderBy, params.length + 1);
  const statement = isOwn
    ? unpreparedOf(statements.listIssues, text)
    : variantOf(statements.listIssues, text);
  const [rows, total] = await Promise.all([
    db.query(statement, [...params, perPage, (page - 1) * perPage]),
    countRows(db, isOwn ? { unprepared: from } : from, params),
  ]);
  return { rows, total };
}
