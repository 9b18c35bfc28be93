/** Made by `node scripts/generate-rows.ts` from the statements of id-token-keys.store.ts; do not edit. */

export interface IdTokenKeysRows {
  list: {
    id: string;
    sealed_private_key: Buffer;
    public_key: unknown;
    created_at: Date;
    current_from: Date;
    withdrawn_at: Date | null;
  };
  lock: {
    pg_advisory_xact_lock: string | null;
  };
  insertIfNoneAfter: never;
  withdraw: never;
  insertNow: never;
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
