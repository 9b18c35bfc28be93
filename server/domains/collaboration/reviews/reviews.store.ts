/** Reads and writes rows of `reviews`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { ReviewState } from "@forgeline/schemas/reviews/resource.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import { levelSql } from "../../policy/domain.ts";
import { reactionsSql } from "../reactions/columns.store.ts";
import { reviewSql } from "./review-states.ts";
import type { ReviewsRows } from "./reviews.rows.ts";

interface People {
  /** A function gives it. */
  author: UserSnapshot | null;
  /** As above. */
  dismissed_by: UserSnapshot | null;
  /** What is compared is never null. */
  stale: boolean;
  /** As above. */
  counts: boolean;
}
interface Known {
  /** Why is said there. */
  findReview: People;
  /** As above. */
  listReviews: People;
}

// What somebody may do because they run the instance counts for nobody's merge request.
const level = levelSql({ repository: "r", user: "rv.author_id", admin: "false" });

/** Of whoever has lost access, or proposed it, a review does not count; nor does one that was given elsewhere. */
const countsSql = `(rv.author_id is not null and rv.imported_author is null and rv.author_id is distinct from w.author_id
      and exists (select 1 from users u where u.id = rv.author_id and not u.suspended)
      and coalesce(${level} >= 'write'::repository_level, false))`;

const columns = (
  viewer: string,
) => `rv.id, rv.merge_request_id, rv.repository_id, rv.author_id, rv.imported_author, rv.state, rv.body, rv.head_sha, rv.submitted_at,
    rv.dismissed_at, rv.dismissed_reason, rv.created_at, rv.updated_at, user_snapshot(rv.author_id) as author,
    user_snapshot(rv.dismissed_by) as dismissed_by, w.number, rv.head_sha <> m.head_sha as stale, ${countsSql} as counts,
    (select count(*)::int from comments c where c.review_id = rv.id) as comments_count,
    w.author_id as proposer_id, w.locked, ${reactionsSql("rv.id", viewer)}`;
const from = `from reviews rv join merge_requests m on m.id = rv.merge_request_id join work_items w on w.id = m.id
    join repositories r on r.id = rv.repository_id`;
const seenBy = (viewer: string) => `(rv.state <> 'pending' or rv.author_id = ${viewer}::text)`;

export const statements = defineStatements<ReviewsRows, Known>({
  findReview: `
    select ${columns("$4")} ${from} where rv.repository_id = $1 and w.number = $2 and rv.id = $3 and ${seenBy("$4")}`,
  listReviews: `
    select ${columns("$2")} ${from} where rv.merge_request_id = $1 and ${seenBy("$2")}
    order by rv.submitted_at nulls last, rv.id limit $3 offset $4`,
  countReviews: `
    select count(*) filter (where ${seenBy("$2")})::int as seen, count(*)::int as total
    from reviews rv where rv.merge_request_id = $1`,
  countOwn: `
    select count(*)::int as total from reviews rv where rv.merge_request_id = $1 and rv.author_id = $2`,
  findPending: `
    select rv.id, rv.head_sha from reviews rv
    where rv.merge_request_id = $1 and rv.author_id = $2 and rv.state = 'pending'`,
  insertReview: `
    insert into reviews (id, merge_request_id, repository_id, author_id, body, head_sha)
    select $1, m.id, m.repository_id, $3, $4, coalesce($5, m.head_sha) from merge_requests m where m.id = $2
    returning id, head_sha`,
  submitReview: `
    update reviews set state = $2, body = $3, head_sha = $4, submitted_at = now(), updated_at = now() where id = $1`,
  setBody: "update reviews set body = $2, updated_at = now() where id = $1",
  deleteReview: "delete from reviews where id = $1",
  dismissReview: `
    update reviews set state = ${reviewSql.to("dismiss")}, dismissed_at = now(), dismissed_by = $2, dismissed_reason = $3, updated_at = now()
    where id = $1 and state in (${reviewSql.from("dismiss")})`,
});

export type ReviewRow = RowOf<typeof statements.findReview>;

/** A pending one only for its author. */
export function findReview(
  db: Queryable,
  repositoryId: string,
  { number, id, viewerId }: { number: number; id: string; viewerId: string | null },
): Promise<ReviewRow | undefined> {
  return db.one(statements.findReview, [repositoryId, number, id, viewerId]);
}

export async function listReviews(
  db: Queryable,
  { mergeRequestId, viewerId }: { mergeRequestId: string; viewerId: string | null },
  { page, per_page: perPage }: PageQuery,
): Promise<{ rows: ReviewRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.query(statements.listReviews, [mergeRequestId, viewerId, perPage, (page - 1) * perPage]),
    db.one(statements.countReviews, [mergeRequestId, viewerId]),
  ]);
  return { rows, total: counted?.seen ?? 0 };
}

export interface PendingReview {
  id: string;
  head_sha: string;
}

export function findPending(
  db: Queryable,
  mergeRequestId: string,
  authorId: string,
): Promise<PendingReview | undefined> {
  return db.one(statements.findPending, [mergeRequestId, authorId]);
}

export interface NewReview {
  id: string;
  mergeRequestId: string;
  authorId: string;
  body: string;
  /** The head that was seen; null: the head now. */
  headSha: string | null;
}

/** The work item is locked, so its author begins no other one meanwhile. */
export async function insertReview(tx: Transaction, review: NewReview): Promise<PendingReview> {
  const { id, mergeRequestId, authorId, body, headSha } = review;
  const row = await tx.one(statements.insertReview, [id, mergeRequestId, authorId, body, headSha]);
  if (!row) throw new Error("a merge request has lost its branches");
  return row;
}

export async function submitReview(
  tx: Transaction,
  { id, state, body, headSha }: { id: string; state: ReviewState; body: string; headSha: string },
): Promise<void> {
  await tx.query(statements.submitReview, [id, state, body, headSha]);
}
