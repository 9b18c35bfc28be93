/** Made by `node scripts/generate-rows.ts` from the statements of export.store.ts; do not edit. */

export interface ExportRows {
  listEnded: {
    id: string;
    ended_at: string;
  };
}
