/** Made by `node scripts/generate-rows.ts` from the statements of size.store.ts; do not edit. */

export interface SizeRows {
  sumLogs: {
    bytes: number;
  };
}
