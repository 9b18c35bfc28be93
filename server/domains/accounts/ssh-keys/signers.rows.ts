/** Made by `node scripts/generate-rows.ts` from the statements of signers.store.ts; do not edit. */

export interface SignersRows {
  findSigners: {
    fingerprint: string;
    id: string;
    username: string;
    verified: string[];
    unverified: string[];
  };
}
