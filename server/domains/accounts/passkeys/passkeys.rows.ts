/** Made by `node scripts/generate-rows.ts` from the statements of passkeys.store.ts; do not edit. */

export interface PasskeysRows {
  insertChallenge: never;
  useChallenge: {
    "?column?": number;
  };
  insertPasskey: {
    id: string;
    user_id: string;
    name: string;
    credential_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    synced: boolean;
    last_used_at: Date | null;
    created_at: Date;
  };
  countPasskeys: {
    total: number;
  };
  listPasskeys: {
    id: string;
    user_id: string;
    name: string;
    credential_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    synced: boolean;
    last_used_at: Date | null;
    created_at: Date;
  };
  findPasskey: {
    id: string;
    user_id: string;
    name: string;
    credential_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    synced: boolean;
    last_used_at: Date | null;
    created_at: Date;
  };
  findByCredential: {
    id: string;
    user_id: string;
    name: string;
    credential_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    synced: boolean;
    last_used_at: Date | null;
    created_at: Date;
  };
  countUse: {
    "?column?": number;
  };
  deletePasskey: {
    id: string;
    user_id: string;
    name: string;
    credential_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    synced: boolean;
    last_used_at: Date | null;
    created_at: Date;
  };
}
