/** Reads and writes what users have seen of merge requests. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ViewedFilesRows } from "./viewed-files.rows.ts";

export const statements = defineStatements<ViewedFilesRows>({
  listViewed: `
    select path, before_file, after_file from merge_request_viewed_files
    where merge_request_id = $1 and user_id = $2 order by path`,
  setViewed: `
    insert into merge_request_viewed_files (merge_request_id, user_id, path, before_file, after_file)
    values ($1, $2, $3, $4, $5)
    on conflict (merge_request_id, user_id, path_hash) do update
      set path = excluded.path, before_file = excluded.before_file, after_file = excluded.after_file, viewed_at = now()`,
  dropOldest: `
    delete from merge_request_viewed_files where merge_request_id = $1 and user_id = $2 and path_hash in (
      select path_hash from merge_request_viewed_files where merge_request_id = $1 and user_id = $2
      order by viewed_at desc offset $3)`,
  removeViewed: `
    delete from merge_request_viewed_files where merge_request_id = $1 and user_id = $2 and path_hash = md5($3::text)`,
  findLook: `
    select head_sha from merge_request_looks where merge_request_id = $1 and user_id = $2 order by looked_at desc limit 1`,
  setLook: `
    insert into merge_request_looks (merge_request_id, user_id, head_sha, looked_at) values ($1, $2, $3, clock_timestamp())
    on conflict (merge_request_id, user_id, head_sha) do update set looked_at = clock_timestamp()`,
  dropOldLooks: `
    delete from merge_request_looks where merge_request_id = $1 and user_id = $2 and head_sha in (
      select head_sha from merge_request_looks where merge_request_id = $1 and user_id = $2
      order by looked_at desc offset $3)`,
  findLastReview: `
    select r.head_sha from reviews r where r.merge_request_id = $1 and r.author_id = $2 and r.submitted_at is not null
    order by r.submitted_at desc limit 1`,
  // A review can name a head that was replaced before it was begun: then its author need not have seen it. A pending one counts, since
  // what was begun while the head was there can be finished.
  findSeen: `
    select exists (select 1 from merge_request_looks l
        where l.merge_request_id = $1 and l.user_id = $2 and l.head_sha = $3)
      or exists (select 1 from reviews r
        where r.merge_request_id = $1 and r.author_id = $2 and r.head_sha = $3
          and not exists (select 1 from work_item_events e where e.work_item_id = $1 and e.kind = 'pushed'
            and e.details ->> 'from' = $3 and e.created_at < r.created_at)) as seen`,
  findFormerHead: `
    select e.id from work_item_events e where e.work_item_id = $1 and e.kind = 'pushed'
      and (e.details ->> 'from' = $2 or e.details ->> 'to' = $2) limit 1`,
});

/** Somebody, in one merge request. */
export interface Reader {
  id: string;
  userId: string;
}

/** Mode and object before and after the change; null where there is no file. */
export interface SeenChange {
  before: string | null;
  after: string | null;
}

export async function listViewed(
  db: Queryable,
  { id, userId }: Reader,
): Promise<(SeenChange & { path: string })[]> {
  const rows = await db.query(statements.listViewed, [id, userId]);
  return rows.map(({ path, before_file: before, after_file: after }) => ({ path, before, after }));
}

/** Of more than `most`, those that were set longest ago go. */
export async function setViewed(
  tx: Transaction,
  { id, userId }: Reader,
  { path, before, after, most }: SeenChange & { path: string; most: number },
): Promise<void> {
  await tx.query(statements.setViewed, [id, userId, path, before, after]);
  await tx.query(statements.dropOldest, [id, userId, most]);
}

export async function removeViewed(db: Queryable, { id, userId }: Reader, path: string): Promise<void> {
  await db.query(statements.removeViewed, [id, userId, path]);
}

export async function findLook(db: Queryable, { id, userId }: Reader): Promise<string | undefined> {
  return (await db.one(statements.findLook, [id, userId]))?.head_sha;
}

/** The head that the last submitted review of the reader is about. */
export async function findLastReview(db: Queryable, { id, userId }: Reader): Promise<string | undefined> {
  return (await db.one(statements.findLastReview, [id, userId]))?.head_sha;
}

/** The last twenty stay. */
export async function setLook(tx: Transaction, { id, userId }: Reader, sha: string): Promise<void> {
  await tx.query(statements.setLook, [id, userId, sha]);
  await tx.query(statements.dropOldLooks, [id, userId, maxLooks]);
}

const maxLooks = 20;

/** Whether the reader has looked at this head, or reviewed it or begun to, while it was there. */
export async function hasSeen(db: Queryable, { id, userId }: Reader, sha: string): Promise<boolean> {
  return (await db.one(statements.findSeen, [id, userId, sha]))?.seen ?? false;
}

/** Whether a push has brought it to the source branch, or away from it. */
export async function wasHead(db: Queryable, id: string, sha: string): Promise<boolean> {
  return (await db.one(statements.findFormerHead, [id, sha])) !== undefined;
}
