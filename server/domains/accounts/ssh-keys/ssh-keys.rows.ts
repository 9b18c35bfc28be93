/** Made by `node scripts/generate-rows.ts` from the statements of ssh-keys.store.ts; do not edit. */

export interface SshKeysRows {
  insertSshKey: {
    id: string;
    title: string;
    kind: string;
    public_key: string;
    fingerprint: string;
    last_used_at: Date | null;
    created_at: Date;
  };
  countSshKeys: {
    total: number;
  };
  listSshKeys: {
    id: string;
    title: string;
    kind: string;
    public_key: string;
    fingerprint: string;
    last_used_at: Date | null;
    created_at: Date;
  };
  findSshKey: {
    id: string;
    title: string;
    kind: string;
    public_key: string;
    fingerprint: string;
    last_used_at: Date | null;
    created_at: Date;
  };
  deleteSshKey: {
    id: string;
    title: string;
    kind: string;
    public_key: string;
    fingerprint: string;
    last_used_at: Date | null;
    created_at: Date;
  };
}
