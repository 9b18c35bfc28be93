/** What the steps of a merge queue share: the queue as a server looks at it, and its batch with what is in it. */
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { mergeQueueRefs } from "../../../platform/git/refs/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { MergeQueueRuns } from "../../pipelines/domain.ts";
import { placeActor, type MergeRequestChanges } from "../merge-requests/changes.ts";
import type { Queued } from "../merge-requests/queued-merging.ts";
import type { QueueRule } from "../merge-requests/requirements/queue-rule.ts";
import type { EntryRow, QueueKey } from "./entries.store.ts";
import { trustAll, suspect } from "./entries.store.ts";
import type { MergeQueueMetrics } from "./metrics.ts";
import { deleteBatch, holdQueue, type BatchRow, type ClaimedQueue } from "./queues.store.ts";

/** A queue as this server found it when it claimed it. */
export interface Look {
  queue: ClaimedQueue;
  key: QueueKey;
  rule: QueueRule;
  /** Where the branch is; `zeroId`: it is gone. */
  tip: string;
  /** All that wait, in their order. */
  entries: readonly EntryRow[];
  /** What is tested for it, in the order in which it lands. */
  batches: readonly BatchRow[];
}

export interface BatchOf {
  batch: BatchRow;
  /** In their order. */
  members: readonly EntryRow[];
}

/** When to look again, in seconds. */
export type Again = number;
export const atOnce: Again = 0;
export const soon: Again = 2;

/** After what has nothing to do with what waits, such as an error, or a server that is too busy. */
export const afterProblem: Again = 15;

/** It has nothing to do with what waits, and is over by itself, such as a busy server or a full disk. */
export function isPassing(error: unknown): boolean {
  return error instanceof AppError && errorCatalogue[error.code].retryable;
}

/** Another server looks at the queue by now: nothing that this one found counts. */
export class LookOver extends Error {
  constructor() {
    super("another server looks at the merge queue");
    this.name = "LookOver";
  }
}

export function queuedOf(entry: EntryRow): Queued {
  const { number, head_sha: head, strategy, commit_message: message, queued_by: queuedBy } = entry;
  return { number, head, strategy, message: message ?? undefined, queuedBy };
}

export interface BatchEndsDeps extends Pick<Platform, "git" | "storage"> {
  db: Database;
  changes: Pick<MergeRequestChanges, "lock" | "dequeue">;
  runs: Pick<MergeQueueRuns, "cancel">;
  metrics: MergeQueueMetrics;
}

export interface BatchEnds {
  /** It is made anew, with what is there then, and so is what was built on it. */
  giveUp(look: Look, of: Pick<BatchOf, "batch">): Promise<Again>;
  /** Of several nobody knows which one it was, so half of them is tested; a single one leaves. */
  fail(look: Look, of: BatchOf, reason: string): Promise<Again>;
  /** Out of the queue, with the reason in words. */
  drop(look: Look, entry: EntryRow, reason: string): Promise<void>;
  /** In a transaction in which the queue is held: no run of them goes on, and their members wait again. */
  remove(tx: Transaction, batches: readonly BatchRow[]): Promise<void>;
  /** No ref keeps what was tested any more. Absent is fine. */
  removeRefs(look: Look, batches: readonly BatchRow[]): Promise<void>;
}

export function refOf(branch: string, batchId: string): string {
  return `${mergeQueueRefs}/${branch}/${batchId}`;
}

/** With itself first: nothing of it lands where this batch does not. */
function builtOn({ batches }: Look, { id }: BatchRow): readonly BatchRow[] {
  return batches.slice(batches.findIndex((each) => each.id === id));
}

export async function hold(tx: Transaction, { queue }: Pick<Look, "queue">): Promise<void> {
  if (!(await holdQueue(tx, queue))) throw new LookOver();
}

export function createBatchEnds(deps: BatchEndsDeps): BatchEnds {
  const { db, changes, metrics } = deps;

  async function remove(tx: Transaction, batches: readonly BatchRow[]): Promise<void> {
    for (const { id } of batches) await deleteBatch(tx, id);
    await deps.runs.cancel(
      tx,
      batches.flatMap(({ pipeline_ids: ids }) => ids),
    );
  }

  async function removeRefs({ key }: Look, batches: readonly BatchRow[]): Promise<void> {
    const directory = deps.storage.directory(key.repositoryId);
    const input = batches.map(({ id }) => `delete ${refOf(key.branch, id)}\0\0`).join("");
    const args = ["update-ref", "--no-deref", "-z", "--stdin"];
    await deps.git.run({ directory, args, input, acceptExitCodes: [0, 1, 128] });
  }

  async function failSingle(
    look: Look,
    { batch, entry }: { batch: BatchRow; entry: EntryRow },
    reason: string,
  ) {
    await db.transaction(async (tx) => {
      const item = await changes.lock(tx, look.key.repositoryId, entry.number);
      await hold(tx, look);
      await changes.dequeue(tx, { item, actor: placeActor(null) }, reason);
      await trustAll(tx, look.key);
      await remove(tx, builtOn(look, batch));
    });
  }

  return {
    remove,
    removeRefs,
    async giveUp(look, { batch }) {
      await db.transaction(async (tx) => {
        await hold(tx, look);
        await remove(tx, builtOn(look, batch));
      });
      await removeRefs(look, builtOn(look, batch));
      for (const _ of builtOn(look, batch)) metrics.ended("given_up");
      return atOnce;
    },
    async fail(look, { batch, members }, reason) {
      const [entry] = members;
      if (members.length === 1 && entry) await failSingle(look, { batch, entry }, reason);
      else
        await db.transaction(async (tx) => {
          await hold(tx, look);
          await suspect(tx, look.key, batch.id);
          await remove(tx, builtOn(look, batch));
        });
      const [, ...thrownAway] = builtOn(look, batch);
      await removeRefs(look, builtOn(look, batch));
      metrics.ended("failed");
      for (const _ of thrownAway) metrics.ended("given_up");
      return atOnce;
    },
    async drop(look, entry, reason) {
      await db.transaction(async (tx) => {
        const item = await changes.lock(tx, look.key.repositoryId, entry.number);
        await hold(tx, look);
        await changes.dequeue(tx, { item, actor: placeActor(null) }, reason);
      });
    },
  };
}
