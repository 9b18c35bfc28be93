/** Reads issues, one or many, each with all that its record shows, in one statement. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, unpreparedOf, variantOf, type RowOf } from "../../../platform/db/statement.ts";
import type { ListConditions, SearchOrder } from "../search/conditions.ts";
import { conditionsSql } from "../search/conditions.store.ts";
import { levelSql } from "../../policy/domain.ts";
import { itemColumns, type KnownOfItem } from "../work-items/columns.store.ts";
import type { IssuesRows } from "./issues.rows.ts";

interface KnownOfIssue extends KnownOfItem {
  /** Only issues are duplicates, and of issues alone. */
  duplicate: { number: number; title: string; state: "open" | "closed"; full_name: string } | null;
}
interface Known {
  /** Why is said there. */
  findIssue: KnownOfIssue;
  /** As above. */
  listIssues: KnownOfIssue;
}

const seenLevel = (user: string, admin: string) => levelSql({ repository: "dr", user, admin });

/** With the issue that says the same, as far as the viewer sees it. `first` is the first of three parameters that say who looks. */
function issueColumns(first: number): string {
  const user = `$${first}::text`;
  const admin = `$${first + 1}::boolean`;
  const only = `$${first + 2}::text[]`;
  return `${itemColumns(`$${first}`)},
    (select jsonb_build_object('number', d.number, 'title', d.title, 'state', d.state, 'full_name', n.full_name)
      from work_items d join repositories dr on dr.id = d.repository_id join repository_names n on n.repository_id = dr.id
      where d.id = w.duplicate_of and (dr.id = w.repository_id
        or (${seenLevel(user, admin)} is not null and (${only} is null or dr.id = any (${only}) or dr.visibility = 'public')))) as duplicate`;
}

const orders = { created: "w.number", updated: "w.updated_at", comments: "w.comments_count" } as const;

/** `next` is the number of the next parameter; after the page comes who looks at it. */
const listSql = (from: string, order: string, next: number) =>
  `select ${issueColumns(next + 2)} ${from} order by ${order} limit $${next} offset $${next + 1}`;

export const statements = defineStatements<IssuesRows, Known>({
  findIssue: `select ${issueColumns(3)} from work_items w where w.repository_id = $1 and w.number = $2 and w.kind = 'issue'`,
  listIssues: listSql("from work_items w", "w.number desc", 1),
});

export type IssueRow = RowOf<typeof statements.findIssue>;

/** Who looks at it. */
export interface Viewing {
  userId: string | null;
  isAdmin: boolean;
  /** Null: not limited. */
  repositoryIds: readonly string[] | null;
}

const viewing = ({ userId, isAdmin, repositoryIds }: Viewing) => [userId, isAdmin, repositoryIds];

export function findIssue(
  db: Queryable,
  { repositoryId, number }: { repositoryId: string; number: number },
  viewer: Viewing,
): Promise<IssueRow | undefined> {
  return db.one(statements.findIssue, [repositoryId, number, ...viewing(viewer)]);
}

export interface ListedIssues extends PageQuery, ListConditions {
  order: SearchOrder;
}

export async function listIssues(
  db: Queryable,
  { repositoryId, viewer }: { repositoryId: string; viewer: Viewing },
  { conditions, isOwn, order, page, per_page: perPage }: ListedIssues,
): Promise<{ rows: IssueRow[]; total: number }> {
  const params: unknown[] = [repositoryId];
  const parts = conditionsSql(conditions, { params, repository: "$1" });
  const from = `from work_items w where ${["w.repository_id = $1", "w.kind = 'issue'", ...parts].join(" and ")}`;
  const { sort, direction } = order;
  const orderBy = `${orders[sort]} ${direction}, w.number ${direction}`;
  const text = listSql(from, orderBy, params.length + 1);
  const statement = isOwn
    ? unpreparedOf(statements.listIssues, text)
    : variantOf(statements.listIssues, text);
  const [rows, total] = await Promise.all([
    db.query(statement, [...params, perPage, (page - 1) * perPage, ...viewing(viewer)]),
    countRows(db, isOwn ? { unprepared: from } : from, params),
  ]);
  return { rows, total };
}
