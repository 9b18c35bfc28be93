/** Reads comments that may hold suggestions, and keeps which of them were applied. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import type { SuggestionsRows } from "./suggestions.rows.ts";

interface Known {
  /** A function gives it. */
  listApplied: { applied_by: UserSnapshot | null };
}

const columns = `c.id, c.body, c.author_id, t.id as thread_id, t.path, t.start_line, t.line, t.commit_sha, t.current_path,
    t.current_line, t.current_sha, t.is_outdated, t.resolved_at is not null as is_resolved`;
// Markdown decides what is a suggestion; this finds what may be one.
const from = `from comments c join review_threads t on t.id = c.thread_id
    where t.merge_request_id = $1 and t.side = 'new' and t.line is not null and not c.is_pending
      and c.body ~ '(\`\`\`|~~~)[ \\t]*suggestion'`;

export const statements = defineStatements<SuggestionsRows, Known>({
  listSuggesting: `select ${columns} ${from} order by c.id limit $2 offset $3`,
  countSuggesting: `select count(*)::int as total ${from}`,
  findSuggesting: `select ${columns} ${from} and c.id = any ($2::text[])`,
  listApplied: `
    select a.comment_id, a.position, a.digest, a.sha, a.applied_at, user_snapshot(a.applied_by) as applied_by
    from applied_suggestions a where a.comment_id = any ($1::text[])`,
  // A comment that was deleted meanwhile is left out.
  insertApplied: `
    insert into applied_suggestions (comment_id, position, digest, sha, applied_by)
    select c.id, $2, $3, $4, $5 from comments c where c.id = $1
    on conflict (comment_id, position) do update
      set digest = excluded.digest, sha = excluded.sha, applied_by = excluded.applied_by, applied_at = now()`,
});

type Row = RowOf<typeof statements.listSuggesting>;
/** Of a comment on lines. */
export type SuggestingRow = Row & { line: number; current_line: number };
export type AppliedRow = RowOf<typeof statements.listApplied>;

const onLines = (rows: readonly Row[]) =>
  rows.filter((row): row is SuggestingRow => row.line !== null && row.current_line !== null);

export async function listSuggesting(
  db: Queryable,
  mergeRequestId: string,
  { page, per_page: perPage }: PageQuery,
): Promise<{ rows: SuggestingRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.query(statements.listSuggesting, [mergeRequestId, perPage, (page - 1) * perPage]),
    db.one(statements.countSuggesting, [mergeRequestId]),
  ]);
  return { rows: onLines(rows), total: counted?.total ?? 0 };
}

export async function findSuggesting(
  db: Queryable,
  mergeRequestId: string,
  comments: readonly string[],
): Promise<SuggestingRow[]> {
  return onLines(await db.query(statements.findSuggesting, [mergeRequestId, comments]));
}

export function listApplied(db: Queryable, comments: readonly string[]): Promise<AppliedRow[]> {
  return db.query(statements.listApplied, [comments]);
}

export interface NewApplied {
  comment: string;
  index: number;
  digest: string;
  sha: string;
  userId: string;
}

export async function insertApplied(tx: Transaction, applied: NewApplied): Promise<void> {
  const { comment, index, digest, sha, userId } = applied;
  await tx.query(statements.insertApplied, [comment, index, digest, sha, userId]);
}
