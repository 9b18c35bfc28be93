/** Made by `node scripts/generate-rows.ts` from the statements of encrypted-push-mirrors.store.ts; do not edit. */

export interface EncryptedPushMirrorsRows {
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_password: Buffer | null;
    sealed_ssh_key: Buffer | null;
  };
  replaceSealed: never;
}
