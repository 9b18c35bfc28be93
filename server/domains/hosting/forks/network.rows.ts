/** Made by `node scripts/generate-rows.ts` from the statements of network.store.ts; do not edit. */

export interface NetworkRows {
  areRelated: {
    related: boolean;
  };
}
