/** Made by `node scripts/generate-rows.ts` from the statements of demand.store.ts; do not edit. */

export interface DemandRows {
  listDemand: {
    labels: string[];
    queued: number;
    running: number;
    waitedSeconds: number | null;
    sets: number;
    idle: number;
  };
}
