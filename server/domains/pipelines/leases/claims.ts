/**
 * The queue as runners see it: takes the fairest matching attempt as an offer, and puts offers back. Any number of servers may
 * do so at once.
 */
import type { Database } from "../../../platform/db/database.ts";
import { nobodyServed, type Turn } from "./turns.ts";
import { claim, putBack, putBackExpired } from "./offers.store.ts";

export interface Offer {
  attemptId: string;
  epoch: number;
  repositoryId: string;
  /** Null if the repository is gone. */
  ownerId: string | null;
  image: string;
  labels: string[];
  /** How long the attempt had been queued. */
  waitedMs: number;
}

export interface Claimant {
  runnerId: string;
  instanceId: string;
  deadlineMs: number;
}

/** Takes one attempt for the runner, or none: nothing matches, or the runner is full, paused, draining or replaced. */
export async function claimNext(
  db: Database,
  claimant: Claimant,
  turn: Turn = nobodyServed,
): Promise<Offer | undefined> {
  return db.transaction((tx) => claim(tx, claimant, turn), { planByIndexes: true });
}

/** Puts an offer back at its old place in the queue. False when it is no longer this offer. */
export async function returnOffer(
  db: Database,
  offer: { attemptId: string; epoch: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const repositoryId = await putBack(tx, offer);
    if (repositoryId !== undefined) await tx.notify("queue", repositoryId);
    return repositoryId !== undefined;
  });
}

/** Puts back every offer whose deadline has passed, on any server; returns how many. */
export async function returnExpiredOffers(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const repositoryIds = await putBackExpired(tx);
    for (const repositoryId of new Set(repositoryIds)) await tx.notify("queue", repositoryId);
    return repositoryIds.length;
  });
}
