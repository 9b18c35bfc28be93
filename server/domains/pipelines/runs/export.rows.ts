/** Made by `node scripts/generate-rows.ts` from the statements of export.store.ts; do not edit. */

export interface ExportRows {
  findVersion: {
    runs: number;
    newest: string | null;
  };
  listEnded: {
    id: string;
    ended_at: string;
  };
}
