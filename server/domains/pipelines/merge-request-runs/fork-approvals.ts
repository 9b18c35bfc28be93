/**
 * Tells whoever follows it, in the transaction of the change, that runs of a merge request from a fork wait for an approval, and that one of
 * them does no longer: people are told of that by the domain that knows merge requests.
 */
import type { ForkRunEnd } from "@forgeline/schemas/approvals/fork-run-ends.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { findMergeRequestOf } from "./fork-decisions.store.ts";

/** Of which merge request; without an end, runs begin to wait. */
export interface ForkApprovalChange {
  repositoryId: string;
  number: number;
  /** Who proposed it, or who ended the wait; null: nobody. */
  actorId: string | null;
  end?: ForkRunEnd;
}

export type ForkApprovalFollower = (tx: Transaction, change: ForkApprovalChange) => Promise<void>;

export interface ForkApprovals {
  follow(follower: ForkApprovalFollower): void;
  tell: ForkApprovalFollower;
  /** The run has been decided, or has ended. */
  ended(tx: Transaction, pipelineId: string, how: { end: ForkRunEnd; actorId: string | null }): Promise<void>;
}

export function createForkApprovals(): ForkApprovals {
  const followers: ForkApprovalFollower[] = [];

  const tell: ForkApprovalFollower = async (tx, change) => {
    for (const follower of followers) await follower(tx, change);
  };

  return {
    follow: (follower) => void followers.push(follower),
    tell,
    async ended(tx, pipelineId, how) {
      const found = await findMergeRequestOf(tx, pipelineId);
      // Of several that were made together the last one says it.
      if (!found?.number || (how.end === "expired" && found.waits)) return;
      await tell(tx, { repositoryId: found.repository_id, number: found.number, ...how });
    },
  };
}
