/** Made by `node scripts/generate-rows.ts` from the statements of offers.store.ts; do not edit. */

export interface OffersRows {
  claim: {
    attemptId: string;
    epoch: number;
    repositoryId: string;
    image: string | null;
    labels: string[];
    placementId: string | null;
    shares: boolean;
    waitedMs: number;
    ownerId: string | null;
  };
  putBack: {
    repositoryId: string;
    placementId: string | null;
  };
  putBackExpired: {
    repositoryId: string;
    placementId: string | null;
  };
  queueLengths: {
    labels: string;
    length: number;
    oldestSeconds: number;
  };
  countHeld: {
    state: "delegated" | "ended" | "following" | "leased" | "offered" | "queued";
    count: number;
  };
}
