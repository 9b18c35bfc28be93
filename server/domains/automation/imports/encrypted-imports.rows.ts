/** Made by `node scripts/generate-rows.ts` from the statements of encrypted-imports.store.ts; do not edit. */

export interface EncryptedImportsRows {
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_token: Buffer | null;
  };
  replaceSealed: never;
}
