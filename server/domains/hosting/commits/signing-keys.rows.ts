/** Made by `node scripts/generate-rows.ts` from the statements of signing-keys.store.ts; do not edit. */

export interface SigningKeysRows {
  insertKey: never;
  findKeys: {
    fingerprint: string;
  };
}
