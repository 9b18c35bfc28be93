/** Merge queues of branches, and the batches that each one is testing. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import type { QueueKey } from "./entries.store.ts";
import { queueEntryStates } from "./queue-states.ts";
import type { QueuesRows } from "./queues.rows.ts";

interface Known {
  /** A function gives it. */
  findQueue: { paused_by_person: UserSnapshot | null };
}

const key = "repository_id = $1 and branch = $2";

export const statements = defineStatements<QueuesRows, Known>({
  // Longer than one look can take; of a server that dies another one takes it then.
  claim: `
    update merge_queues q set leased_until = clock_timestamp() + interval '5 minutes', looks = q.looks + 1
    from (select repository_id, branch from merge_queues
      where due_at <= clock_timestamp() and (leased_until is null or leased_until < clock_timestamp())
      order by due_at limit 1 for update skip locked) due
    where q.repository_id = due.repository_id and q.branch = due.branch
    returning q.repository_id, q.branch, q.paused_at, q.looks, q.wanted,
      (select r.deleted_at is null and not r.archived from repositories r where r.id = q.repository_id) as may_move`,
  later: `
    update merge_queues set leased_until = null,
      due_at = case when wanted = $4 then clock_timestamp() + make_interval(secs => $5) else clock_timestamp() end
    where ${key} and looks = $3`,
  rest: `
    update merge_queues set leased_until = null, due_at = case when wanted = $4 then null else clock_timestamp() end
    where ${key} and looks = $3`,
  hold: `select looks from merge_queues where ${key} and looks = $3 for update`,
  isHeld: `select looks from merge_queues where ${key} and looks = $3 and leased_until > clock_timestamp()`,
  want: `
    insert into merge_queues as q (repository_id, branch, due_at, wanted) values ($1, $2, now(), 1)
    on conflict (repository_id, branch) do update set due_at = now(), wanted = q.wanted + 1`,
  findQueue: `
    select q.paused_at, user_snapshot(q.paused_by) as paused_by_person from merge_queues q where q.repository_id = $1 and q.branch = $2`,
  pause: `
    update merge_queues set paused_at = now(), paused_by = $3 where ${key} and paused_at is null returning branch`,
  resume: `
    update merge_queues set paused_at = null, paused_by = null where ${key} and paused_at is not null returning branch`,
  branchesInUse: `
    select distinct e.branch from merge_queue_entries e where e.repository_id = $1 order by e.branch limit 100`,
  listBatches: `select * from merge_queue_batches where ${key} order by place limit 100`,
  insertBatch: `
    insert into merge_queue_batches (id, repository_id, branch, state, base_sha, sha, size, pipeline_ids)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  moveBatch:
    "update merge_queue_batches set state = $2 where id = $1 and state = any ($3::text[]) returning id",
  deleteBatch: "delete from merge_queue_batches where id = $1",
});

export type ClaimedQueue = RowOf<typeof statements.claim>;
export type BatchRow = RowOf<typeof statements.listBatches>;

/** One that is due. Nobody else looks at it for some minutes. */
export function claimQueue(db: Queryable): Promise<ClaimedQueue | undefined> {
  return db.one(statements.claim);
}

const keyOf = ({ repository_id: repositoryId, branch, looks }: ClaimedQueue) => [repositoryId, branch, looks];

/** At once where something was asked for meanwhile. */
export async function lookLater(db: Queryable, queue: ClaimedQueue, seconds: number): Promise<void> {
  await db.query(statements.later, [...keyOf(queue), queue.wanted, seconds]);
}

/** Until something is asked for. */
export async function rest(db: Queryable, queue: ClaimedQueue): Promise<void> {
  await db.query(statements.rest, [...keyOf(queue), queue.wanted]);
}

/** Until the transaction ends. False: another server looks at it by now. */
export async function holdQueue(tx: Transaction, queue: ClaimedQueue): Promise<boolean> {
  return (await tx.one(statements.hold, keyOf(queue))) !== undefined;
}

/** At this moment. False: another server looks at it, or may at any time. */
export async function isQueueHeld(db: Queryable, queue: ClaimedQueue): Promise<boolean> {
  return (await db.one(statements.isHeld, keyOf(queue))) !== undefined;
}

/** It is looked at at once. Made where it was not there; locked until the transaction ends. */
export async function wantLook(tx: Transaction, { repositoryId, branch }: QueueKey): Promise<void> {
  await tx.query(statements.want, [repositoryId, branch]);
}

export function findQueue(
  db: Queryable,
  { repositoryId, branch }: QueueKey,
): Promise<RowOf<typeof statements.findQueue> | undefined> {
  return db.one(statements.findQueue, [repositoryId, branch]);
}

/** False where it is so already. */
export async function setPaused(
  tx: Transaction,
  { repositoryId, branch }: QueueKey,
  pausedBy: string | null,
): Promise<boolean> {
  const values = [repositoryId, branch];
  const changed =
    pausedBy === null
      ? await tx.one(statements.resume, values)
      : await tx.one(statements.pause, [...values, pausedBy]);
  return changed !== undefined;
}

export async function branchesInUse(db: Queryable, repositoryId: string): Promise<string[]> {
  return (await db.query(statements.branchesInUse, [repositoryId])).map(({ branch }) => branch);
}

/** In the order in which they land. */
export function listBatches(db: Queryable, { repositoryId, branch }: QueueKey): Promise<BatchRow[]> {
  return db.query(statements.listBatches, [repositoryId, branch]);
}

export interface NewBatch extends QueueKey {
  id: string;
  base: string;
  sha: string;
  size: number;
  pipelineIds: readonly string[];
}

export async function insertBatch(tx: Transaction, batch: NewBatch): Promise<void> {
  const { id, repositoryId, branch, base, sha, size, pipelineIds } = batch;
  const state = queueEntryStates.next("queued", "test");
  await tx.query(statements.insertBatch, [id, repositoryId, branch, state, base, sha, size, pipelineIds]);
}

/** False where it is not in a state in which that can happen. */
export async function passBatch(tx: Transaction, id: string): Promise<boolean> {
  const state = queueEntryStates.next("testing", "pass");
  const moved = await tx.one(statements.moveBatch, [id, state, queueEntryStates.sources("pass")]);
  return moved !== undefined;
}

/** Its members wait again, those that are still there. */
export async function deleteBatch(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.deleteBatch, [id]);
}
