/** Merge requests that wait in merge queues. */
import type { MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import { maxQueued } from "@forgeline/schemas/merge-queue/resource.ts";
import type { Reach } from "../../../platform/access/reach.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import type { EntriesRows } from "./entries.rows.ts";

interface Known {
  /** A function gives it. */
  listEntries: { queued_by_person: UserSnapshot | null };
}

/** Whoever lands it keeps it until that has come to its end. */
const isLanding = `exists (select 1 from merge_queue_batches b where b.id = q.batch_id and b.state = 'landing')`;
const ofQueue = "q.repository_id = $1 and q.branch = $2";

export const statements = defineStatements<EntriesRows, Known>({
  listEntries: `
    select q.*, w.title, w.state as item_state, user_snapshot(q.queued_by) as queued_by_person
    from merge_queue_entries q join work_items w on w.id = q.merge_request_id
    where ${ofQueue} order by q.place limit ${maxQueued}`,
  countEntries: `select count(*)::int as count from merge_queue_entries q where ${ofQueue}`,
  countWaiting: "select count(*)::int as count from merge_queue_entries",
  insertEntry: `
    insert into merge_queue_entries (merge_request_id, repository_id, branch, number, place, head_sha, strategy, commit_message,
      delete_source_branch, queued_by, reach)
    select $3, $1, $2, $4, coalesce(max(q.place), 0) + 1, $5, $6, $7, $8, $9, $10 from merge_queue_entries q where ${ofQueue}
    on conflict (merge_request_id) do nothing returning merge_request_id`,
  removeEntry: "delete from merge_queue_entries where merge_request_id = $1 returning queued_by",
  removeChanged: `
    delete from merge_queue_entries q where q.merge_request_id = $1 and (not $2::boolean or q.head_sha <> $3 or q.branch <> $4)
      and not ${isLanding} returning q.branch, q.queued_by`,
  findEntry: `
    select q.merge_request_id, q.queued_by, q.branch, q.place, ${isLanding} as is_landing from merge_queue_entries q
    where q.merge_request_id = $1`,
  moveToFront: `
    update merge_queue_entries q set place = (select min(o.place) from merge_queue_entries o
      where o.repository_id = q.repository_id and o.branch = q.branch) - 1
    where q.merge_request_id = $1`,
  takeIntoBatch: `
    update merge_queue_entries q set batch_id = $1, merge_sha = e.sha, failures = 0
    from jsonb_to_recordset($2::jsonb) as e (id text, head text, sha text)
    where q.merge_request_id = e.id and q.head_sha = e.head and q.batch_id is null returning q.merge_request_id`,
  countFailure:
    "update merge_queue_entries set failures = failures + 1 where merge_request_id = $1 returning failures",
  lockMembers:
    "select q.merge_request_id from merge_queue_entries q where q.batch_id = $1 order by q.place for update",
  // Of those that failed together nobody knows which one it was; of the others nothing is known.
  suspect: `update merge_queue_entries q set suspect = q.batch_id is not distinct from $3 where ${ofQueue}`,
  trust: `update merge_queue_entries q set suspect = false where ${ofQueue} and q.suspect`,
  removeMerged: `
    delete from merge_queue_entries q using work_items w
    where q.batch_id = $1 and w.id = q.merge_request_id and w.state <> 'open'`,
});

export type EntryRow = RowOf<typeof statements.listEntries>;
export type FoundEntry = RowOf<typeof statements.findEntry>;

export interface QueueKey {
  repositoryId: string;
  branch: string;
}

/** In their order. */
export function listEntries(db: Queryable, { repositoryId, branch }: QueueKey): Promise<EntryRow[]> {
  return db.query(statements.listEntries, [repositoryId, branch]);
}

export async function countEntries(db: Queryable, { repositoryId, branch }: QueueKey): Promise<number> {
  return (await db.one(statements.countEntries, [repositoryId, branch]))?.count ?? 0;
}

/** In all queues of the instance. */
export async function countWaiting(db: Queryable): Promise<number> {
  return (await db.one(statements.countWaiting))?.count ?? 0;
}

export interface NewEntry extends QueueKey {
  mergeRequestId: string;
  number: number;
  head: string;
  strategy: MergeStrategy;
  commitMessage: string | undefined;
  deleteSourceBranch: boolean;
  userId: string;
  reach: Reach;
}

/** Behind all others; the row of the queue is locked. False where it is in one already. */
export async function insertEntry(tx: Transaction, entry: NewEntry): Promise<boolean> {
  const { repositoryId, branch, mergeRequestId, number, head, strategy, commitMessage = null } = entry;
  const asked = [strategy, commitMessage, entry.deleteSourceBranch, entry.userId, entry.reach];
  const values = [repositoryId, branch, mergeRequestId, number, head, ...asked];
  return (await tx.one(statements.insertEntry, values)) !== undefined;
}

/** Who had queued it. undefined: nobody. */
export function removeEntry(
  tx: Transaction,
  mergeRequestId: string,
): Promise<RowOf<typeof statements.removeEntry> | undefined> {
  return tx.one(statements.removeEntry, [mergeRequestId]);
}

/** Where it is not what was queued any more. undefined: it stays, or was not there. */
export function removeChanged(
  tx: Transaction,
  now: { id: string; isReady: boolean; head: string; branch: string },
): Promise<RowOf<typeof statements.removeChanged> | undefined> {
  return tx.one(statements.removeChanged, [now.id, now.isReady, now.head, now.branch]);
}

export function findEntry(db: Queryable, mergeRequestId: string): Promise<FoundEntry | undefined> {
  return db.one(statements.findEntry, [mergeRequestId]);
}

export async function moveToFront(tx: Transaction, mergeRequestId: string): Promise<void> {
  await tx.query(statements.moveToFront, [mergeRequestId]);
}

/** False where one of them has left, or is another one by now. */
export async function takeIntoBatch(
  tx: Transaction,
  batchId: string,
  members: readonly { id: string; head: string; sha: string }[],
): Promise<boolean> {
  const taken = await tx.query(statements.takeIntoBatch, [batchId, JSON.stringify(members)]);
  return taken.length === members.length;
}

/** How often Git has failed to merge it by now. undefined: it has left. */
export async function countFailure(tx: Transaction, mergeRequestId: string): Promise<number | undefined> {
  return (await tx.one(statements.countFailure, [mergeRequestId]))?.failures;
}

/** Those that are still in the batch, in their order; none leaves until the transaction ends. */
export async function lockMembers(tx: Transaction, batchId: string): Promise<string[]> {
  return (await tx.query(statements.lockMembers, [batchId])).map(({ merge_request_id: id }) => id);
}

/** The members of this batch failed together. */
export async function suspect(
  tx: Transaction,
  { repositoryId, branch }: QueueKey,
  batchId: string,
): Promise<void> {
  await tx.query(statements.suspect, [repositoryId, branch, batchId]);
}

/** The one is found, or the order is another one. */
export async function trustAll(tx: Transaction, { repositoryId, branch }: QueueKey): Promise<void> {
  await tx.query(statements.trust, [repositoryId, branch]);
}

export async function removeMerged(tx: Transaction, batchId: string): Promise<void> {
  await tx.query(statements.removeMerged, [batchId]);
}
