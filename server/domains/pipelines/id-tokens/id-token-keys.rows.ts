/** Made by `node scripts/generate-rows.ts` from the statements of id-token-keys.store.ts; do not edit. */

export interface IdTokenKeysRows {
  list: {
    id: string;
    sealed_private_key: Buffer;
    public_key: unknown;
    current_from: Date;
  };
  lock: {
    pg_advisory_xact_lock: string | null;
  };
  insertIfNoneAfter: never;
  removeReplaced: never;
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_private_key: Buffer;
  };
  replaceSealed: never;
}
