/** Made by `node scripts/generate-rows.ts` from the statements of encrypted-audit-streams.store.ts; do not edit. */

export interface EncryptedAuditStreamsRows {
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_secrets: Buffer;
  };
  replaceSealed: never;
}
