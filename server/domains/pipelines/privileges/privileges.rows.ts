/** Made by `node scripts/generate-rows.ts` from the statements of privileges.store.ts; do not edit. */

export interface PrivilegesRows {
  listPrivileged: {
    owner: string;
    name: string;
    full_name: string;
    allowed_by: string | null;
    allowed_at: Date;
  };
  findPrivileged: {
    owner: string;
    name: string;
    full_name: string;
    allowed_by: string | null;
    allowed_at: Date;
  };
  findRepository: {
    id: string;
    name: string;
  };
  insertPrivileged: {
    repository_id: string;
  };
  deletePrivileged: {
    repository_id: string;
  };
  jobRights: {
    isPrivileged: boolean;
    permissionsMax: "read" | "write";
  };
  runFacts: {
    trust: "fork" | "own" | "unknown_author";
    isAllowed: boolean;
  };
}
