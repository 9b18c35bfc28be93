/** Made by `node scripts/generate-rows.ts` from the statements of gpg-keys.store.ts; do not edit. */

export interface GpgKeysRows {
  insertGpgKey: {
    id: string;
    fingerprint: string;
    key_ids: string[];
    public_key: string;
    emails: string[];
    expires_at: Date | null;
    revoked: boolean;
    created_at: Date;
  };
  countGpgKeys: {
    keys: number;
  };
  listGpgKeys: {
    id: string;
    fingerprint: string;
    key_ids: string[];
    public_key: string;
    emails: string[];
    expires_at: Date | null;
    revoked: boolean;
    created_at: Date;
  };
  findGpgKey: {
    id: string;
    fingerprint: string;
    key_ids: string[];
    public_key: string;
    emails: string[];
    expires_at: Date | null;
    revoked: boolean;
    created_at: Date;
  };
  deleteGpgKey: {
    id: string;
    fingerprint: string;
    key_ids: string[];
    public_key: string;
    emails: string[];
    expires_at: Date | null;
    revoked: boolean;
    created_at: Date;
  };
  findSigners: {
    wanted_key_id: string | null;
    wanted_email: string | null;
    fingerprint: string;
    public_key: string;
    id: string;
    username: string;
    verified: string[];
    unverified: string[];
  };
}
