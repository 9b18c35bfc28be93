/** Made by `node scripts/generate-rows.ts` from the statements of figures.store.ts; do not edit. */

export interface FiguresRows {
  sum: {
    day: string;
    deployments: number;
    succeeded: number;
    failed: number;
    cancelled: number;
    undone: number;
    lead_seconds: number[] | null;
    restore_seconds: number | null;
  };
}
