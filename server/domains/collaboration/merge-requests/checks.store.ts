/** Merge requests whose branches are to be compared, and what comes of it. */
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { ChecksRows } from "./checks.rows.ts";

export const statements = defineStatements<ChecksRows>({
  // Whoever looks at one, or has it open, waits for it.
  claim: `
    update merge_requests m set check_due_at = clock_timestamp() + interval '5 minutes'
    from (select id from merge_requests where check_due_at <= clock_timestamp()
      order by looked_at desc nulls last, check_due_at limit 1 for update skip locked) due
    where m.id = due.id
    returning m.id, m.repository_id, m.draft, (select w.number from work_items w where w.id = m.id) as number,
      (select w.author_id from work_items w where w.id = m.id) as author_id,
      (select r.deleted_at is not null from repositories r where r.id = m.repository_id) as is_deleted,
      m.source_repository_id, m.source_pusher_id, m.source_branch, m.target_branch, m.is_open, m.head_sha, m.target_sha, m.check_wanted, m.target_pusher_id,
      m.merging_sha, m.merging_by, m.merging_at > now() - interval '2 minutes' as is_merging`,
  // Whether it can be merged may be all that merging it by itself waits for.
  finish: `
    with compared as (update merge_requests set head_sha = $3, target_sha = $4, merge_base_sha = $5, mergeability = $6,
        conflicts = $7, check_due_at = null
      where id = $1 and check_wanted = $2 and is_open returning id)
    update merge_request_auto_merges a set wanted = a.wanted + 1, due_at = now()
    from compared where a.merge_request_id = compared.id`,
  again: "update merge_requests set check_due_at = now() where id = $1 and check_wanted > $2",
  request: `
    update merge_requests set check_wanted = check_wanted + 1, check_due_at = now() where id = $1`,
  rest: "update merge_requests set check_due_at = null where id = $1 and check_wanted = $2",
  later: `
    update merge_requests set check_due_at = now() + make_interval(secs => $3) where id = $1 and check_wanted = $2`,
});

export type ClaimedCheck = RowOf<typeof statements.claim>;

/** One that is due, for some minutes; after that it is due again. */
export function claimCheck(db: Database): Promise<ClaimedCheck | undefined> {
  return db.one(statements.claim);
}

export interface Found {
  head: string;
  target: string;
  base: string | null;
  /** Paths; null: they can be merged. */
  conflicts: readonly string[] | null;
}

/** Counts unless it was asked for again meanwhile; it is due at once then. */
export async function finishCheck(db: Queryable, check: ClaimedCheck, found: Found): Promise<void> {
  const { id, check_wanted: wanted } = check;
  const { head, target, base, conflicts } = found;
  const mergeability = conflicts === null ? "clean" : "conflict";
  await db.query(statements.finish, [id, wanted, head, target, base, mergeability, conflicts ?? []]);
  await db.query(statements.again, [id, wanted]);
}

/** Nothing is to be compared, until somebody asks again. */
export async function restCheck(db: Queryable, { id, check_wanted: wanted }: ClaimedCheck): Promise<void> {
  await db.query(statements.rest, [id, wanted]);
  await db.query(statements.again, [id, wanted]);
}

export async function delayCheck(
  db: Queryable | Transaction,
  { id, check_wanted: wanted }: ClaimedCheck,
  seconds: number,
): Promise<void> {
  await db.query(statements.later, [id, wanted, seconds]);
}

/** It is compared soon; what is known of it stays until then. */
export async function requestCheck(tx: Queryable, id: string): Promise<void> {
  await tx.query(statements.request, [id]);
}
