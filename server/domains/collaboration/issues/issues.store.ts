/** Reads issues, one or many, each with all that its record shows, in one statement. */
import type { IssueQuery } from "@forgeline/schemas/issues/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { defineStatements, variantOf, type RowOf } from "../../../platform/db/statement.ts";
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

const withLabel = (
  p: string,
) => `exists (select 1 from work_item_labels wl join labels l on l.id = wl.label_id
      where wl.work_item_id = w.id and lower(l.name) = lower(${p}))`;
const withAssignee = (
  p: string,
) => `exists (select 1 from work_item_assignees wa join users u on u.id = wa.user_id
      where wa.work_item_id = w.id and lower(u.username) = lower(${p}))`;
const conditions = {
  state: (p: string) => `w.state = ${p}`,
  author: (p: string) => `w.author_id = (select u.id from users u where lower(u.username) = lower(${p}))`,
  milestone: (p: string) => `w.milestone_id = (select m.id from milestones m
      where m.repository_id = $1 and lower(m.title) = lower(${p}))`,
  q: (p: string) => `w.search @@ websearch_to_tsquery('simple', ${p})`,
};

/** In SQL of constants only: requested values are added to the parameters. */
function conditionsOf(query: IssueQuery, params: unknown[]): string[] {
  const parts: string[] = [];
  const add = (condition: (p: string) => string, value: unknown) => {
    params.push(value);
    parts.push(condition(`$${params.length}`));
  };
  if (query.state !== "all") add(conditions.state, query.state);
  for (const label of labelNames(query.labels)) add(withLabel, label);
  if (query.author) add(conditions.author, query.author);
  if (query.assignee === "none")
    parts.push("not exists (select 1 from work_item_assignees wa where wa.work_item_id = w.id)");
  else if (query.assignee) add(withAssignee, query.assignee);
  if (query.milestone === "none") parts.push("w.milestone_id is null");
  else if (query.milestone) add(conditions.milestone, query.milestone);
  if (query.pinned) parts.push("w.pinned_at is not null");
  if (query.q) add(conditions.q, query.q);
  return parts;
}

const maxLabelsAsked = 20;

function labelNames(text: string | undefined): string[] {
  const names = (text ?? "").split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))].slice(0, maxLabelsAsked);
}

export async function listIssues(
  db: Database,
  { repositoryId, query }: { repositoryId: string; query: IssueQuery },
  viewer: Viewing,
): Promise<{ rows: IssueRow[]; total: number }> {
  const params: unknown[] = [repositoryId];
  const parts = ["w.repository_id = $1", "w.kind = 'issue'", ...conditionsOf(query, params)];
  const from = `from work_items w where ${parts.join(" and ")}`;
  const direction = query.direction === "asc" ? "asc" : "desc";
  const order = `${orders[query.sort]} ${direction}, w.number ${direction}`;
  const { page, per_page: perPage } = query;
  const [rows, total] = await Promise.all([
    db.query(variantOf(statements.listIssues, listSql(from, order, params.length + 1)), [
      ...params,
      perPage,
      (page - 1) * perPage,
      ...viewing(viewer),
    ]),
    countRows(db, from, params),
  ]);
  return { rows, total };
}
