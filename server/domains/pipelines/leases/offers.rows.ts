/** Made by `node scripts/generate-rows.ts` from the statements of offers.store.ts; do not edit. */

export interface OffersRows {
  claim: {
    attemptId: string;
    epoch: number;
    repositoryId: string;
    image: string | null;
    labels: string[];
    waitedMs: number;
    ownerId: string | null;
  };
  putBack: {
    repositoryId: string;
  };
  putBackExpired: {
    repositoryId: string;
  };
  queueLengths: {
    labels: string;
    length: number;
    oldestSeconds: number;
  };
  countHeld: {
    state: "ended" | "leased" | "offered" | "queued";
    count: number;
  };
}
