/**
 * What happens to a merge request and takes it out of its queue, in the transaction of the change. What was tested with it is given up
 * when a server looks at the queue next (`advance.ts`).
 */
import type { Transaction } from "../../../platform/db/database.ts";
import { removeChanged, removeEntry } from "./entries.store.ts";

/** As it is after the change. */
interface Changed {
  id: string;
  state: string;
  draft: boolean;
  head_sha: string;
  target_branch: string;
  merge_queue: object | null;
}

export interface Departure {
  /** Why it has left the queue, without being merged. */
  reason: string;
  /** Null: the account is gone. */
  queuedBy: string | null;
}

export interface QueueDepartures {
  /** undefined: it is still in the queue, was in none, or was merged. */
  follow(tx: Transaction, row: Changed): Promise<Departure | undefined>;
  /** For a reason that the caller knows. undefined: it is in no queue. */
  remove(tx: Transaction, mergeRequestId: string): Promise<Omit<Departure, "reason"> | undefined>;
}

export function createQueueDepartures(): QueueDepartures {
  return {
    async follow(tx, row) {
      if (row.merge_queue === null) return undefined;
      const left = await removeChanged(tx, {
        id: row.id,
        isReady: row.state === "open" && !row.draft,
        head: row.head_sha,
        branch: row.target_branch,
      });
      const reason = left && reasonOf(row, left);
      return left && reason !== undefined ? { reason, queuedBy: left.queued_by } : undefined;
    },
    async remove(tx, mergeRequestId) {
      const removed = await removeEntry(tx, mergeRequestId);
      return removed && { queuedBy: removed.queued_by };
    },
  };
}

function reasonOf({ state, draft, target_branch: target }: Changed, left: { branch: string }) {
  if (state === "merged") return undefined;
  if (state !== "open") return "It was closed.";
  if (draft) return "It became a draft.";
  return left.branch === target
    ? "Its source branch has moved: add it again once the new commits are looked at."
    : "Its target branch was changed.";
}
