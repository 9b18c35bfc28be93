/** Made by `node scripts/generate-rows.ts` from the statements of deploy-keys.store.ts; do not edit. */

export interface DeployKeysRows {
  holdRepository: {
    id: string;
  };
}
