/** Made by `node scripts/generate-rows.ts` from the statements of deploy-keys.store.ts; do not edit. */

export interface DeployKeysRows {
  insertDeployKey: {
    id: string;
    title: string;
    permission: "read" | "write" | null;
    kind: string;
    public_key: string;
    fingerprint: string;
    last_used_at: Date | null;
    created_at: Date;
    added_by: string | null;
  };
  countKeys: {
    keys: number;
  };
  listDeployKeys: {
    id: string;
    title: string;
    permission: "read" | "write" | null;
    kind: string;
    public_key: string;
    fingerprint: string;
    last_used_at: Date | null;
    created_at: Date;
    added_by: string | null;
  };
  findDeployKey: {
    id: string;
    title: string;
    permission: "read" | "write" | null;
    kind: string;
    public_key: string;
    fingerprint: string;
    last_used_at: Date | null;
    created_at: Date;
    added_by: string | null;
  };
  deleteDeployKey: {
    id: string;
    title: string;
    permission: "read" | "write" | null;
    kind: string;
    public_key: string;
    fingerprint: string;
    last_used_at: Date | null;
    created_at: Date;
    added_by: string | null;
  };
}
