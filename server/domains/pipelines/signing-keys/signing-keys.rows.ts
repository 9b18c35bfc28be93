/** Made by `node scripts/generate-rows.ts` from the statements of signing-keys.store.ts; do not edit. */

export interface SigningKeysRows {
  list: {
    id: string;
    public_key: Buffer;
    created_at: Date;
    created_by: string | null;
  };
  count: {
    count: number;
  };
  hold: {
    pg_advisory_xact_lock: string | null;
  };
  insert: never;
  remove: {
    id: string;
  };
  listSigning: {
    id: string;
    sealed_private_key: Buffer;
  };
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
