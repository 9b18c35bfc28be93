/**
 * The queue as runners see it: takes the fairest matching attempt as an offer, and puts offers back. Any number of servers may
 * do so at once.
 */
import type { Database } from "../../../platform/db/database.ts";
import { followPlacement, returnPlacement, takePlacement } from "../placements/take-placement.ts";
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
  /** Of its stage; null: it may run anywhere. */
  placementId: string | null;
  /** It works in the workspace of its stage. */
  shares: boolean;
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
  return db.transaction(
    async (tx) => {
      for (;;) {
        const offer = await claim(tx, claimant, turn);
        if (!offer || offer.placementId === null) return offer;
        const { attemptId, placementId, shares } = offer;
        const taken = await takePlacement(tx, { attemptId, placementId, shares }, claimant.runnerId);
        if (taken === "mine") return offer;
        await putBack(tx, offer);
        if (taken === "later") return undefined;
        // From now on its labels lead to the other runner, so it is not found again.
        await followPlacement(tx, placementId, claimant.runnerId);
      }
    },
    { planByIndexes: true },
  );
}

/** Puts an offer back at its old place in the queue. False when it is no longer this offer. */
export async function returnOffer(
  db: Database,
  offer: { attemptId: string; epoch: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const back = await putBack(tx, offer);
    if (!back) return false;
    if (back.placementId !== null) await returnPlacement(tx, back.placementId);
    await tx.notify("queue", back.repositoryId);
    return true;
  });
}

/** Puts back every offer whose deadline has passed, on any server; returns how many. */
export async function returnExpiredOffers(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const back = await putBackExpired(tx);
    // In one order for all servers.
    const placed = new Set(back.flatMap(({ placementId }) => placementId ?? []));
    for (const placementId of [...placed].sort()) await returnPlacement(tx, placementId);
    for (const repositoryId of new Set(back.map((one) => one.repositoryId)))
      await tx.notify("queue", repositoryId);
    return back.length;
  });
}
