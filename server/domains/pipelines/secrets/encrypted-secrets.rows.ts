/** Made by `node scripts/generate-rows.ts` from the statements of encrypted-secrets.store.ts; do not edit. */

export interface EncryptedSecretsRows {
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_value: Buffer;
  };
  replaceSealed: never;
}
