/** Made by `node scripts/generate-rows.ts` from the statements of holder.store.ts; do not edit. */

export interface HolderRows {
  findHolder: {
    id: string;
    kind: string;
    public_key: string;
    repository_id: string | null;
    permission: "read" | "write" | null;
    user_id: string | null;
    username: string | null;
    user_type: "bot" | "user" | null;
    is_admin: boolean | null;
    repository: string | null;
  };
  findHolderById: {
    id: string;
    kind: string;
    public_key: string;
    repository_id: string | null;
    permission: "read" | "write" | null;
    user_id: string | null;
    username: string | null;
    user_type: "bot" | "user" | null;
    is_admin: boolean | null;
    repository: string | null;
  };
  touchKey: never;
}
