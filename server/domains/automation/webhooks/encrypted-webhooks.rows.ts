/** Made by `node scripts/generate-rows.ts` from the statements of encrypted-webhooks.store.ts; do not edit. */

export interface EncryptedWebhooksRows {
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_url: Buffer;
    sealed_secret: Buffer;
    sealed_previous_secret: Buffer | null;
  };
  replaceSealed: never;
}
