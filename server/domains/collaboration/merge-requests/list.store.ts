/** Lists merge requests, filtered, a page in one statement. */
import type { MergeRequestQuery } from "@forgeline/schemas/merge-requests/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database } from "../../../platform/db/database.ts";
import { defineStatements, variantOf } from "../../../platform/db/statement.ts";
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

const conditions = {
  state: (p: string) => `w.state = ${p}`,
  author: (p: string) => `w.author_id = (select u.id from users u where lower(u.username) = lower(${p}))`,
  source: (p: string) => `m.source_branch = ${p}`,
  target: (p: string) => `m.target_branch = ${p}`,
  draft: (p: string) => `m.draft = ${p}::boolean`,
  label: (p: string) => `exists (select 1 from work_item_labels wl join labels l on l.id = wl.label_id
      where wl.work_item_id = w.id and lower(l.name) = lower(${p}))`,
  assignee: (p: string) => `exists (select 1 from work_item_assignees wa join users u on u.id = wa.user_id
      where wa.work_item_id = w.id and lower(u.username) = lower(${p}))`,
  milestone: (p: string) => `w.milestone_id = (select m.id from milestones m
      where m.repository_id = $1 and lower(m.title) = lower(${p}))`,
  q: (p: string) => `w.search @@ websearch_to_tsquery('simple', ${p})`,
};

const nobodyAssigned = "not exists (select 1 from work_item_assignees wa where wa.work_item_id = w.id)";
const withoutMilestone = "w.milestone_id is null";

/** In SQL of constants only: requested values are added to the parameters. */
function conditionsOf(query: MergeRequestQuery, params: unknown[]): string[] {
  const parts: string[] = [];
  const add = (name: keyof typeof conditions, value: unknown) => {
    if (value === undefined || value === "") return;
    params.push(value);
    parts.push(conditions[name](`$${params.length}`));
  };
  if (query.state !== "all") add("state", query.state);
  for (const label of labelNames(query.labels)) add("label", label);
  add("author", query.author);
  add("source", query.source_branch);
  add("target", query.target_branch);
  add("draft", query.draft);
  if (query.assignee === "none") parts.push(nobodyAssigned);
  else add("assignee", query.assignee);
  if (query.milestone === "none") parts.push(withoutMilestone);
  else add("milestone", query.milestone);
  add("q", query.q);
  return parts;
}

const maxLabelsAsked = 20;

function labelNames(text = ""): string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))].slice(0, maxLabelsAsked);
}

export async function listMergeRequests(
  db: Database,
  { repositoryId, viewerId }: { repositoryId: string; viewerId: string | null },
  query: MergeRequestQuery,
): Promise<{ rows: MergeRequestRow[]; total: number }> {
  const params: unknown[] = [repositoryId];
  const wanted = ["w.repository_id = $1", "w.kind = 'merge_request'", ...conditionsOf(query, params)];
  const place = `${from} where ${wanted.join(" and ")}`;
  const direction = query.direction === "asc" ? "asc" : "desc";
  const order = `${orders[query.sort]} ${direction}, w.number ${direction}`;
  const { page, per_page: perPage } = query;
  const [rows, total] = await Promise.all([
    db.query(variantOf(statements.listMergeRequests, listSql(place, order, params.length + 1)), [
      ...params,
      perPage,
      (page - 1) * perPage,
      viewerId,
    ]),
    countRows(db, place, params),
  ]);
  return { rows, total };
}
