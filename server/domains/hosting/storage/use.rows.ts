/** Made by `node scripts/generate-rows.ts` from the statements of use.store.ts; do not edit. */

export interface UseRows {
  sumRepositories: {
    deleted: boolean;
    count: number;
    git_bytes: number;
    log_bytes: number;
    lfs_bytes: number;
    attachment_bytes: number;
    unmeasured: number;
    measured_since: Date | null;
  };
  sumTeamAttachments: {
    bytes: number;
  };
  readDatabaseUse: {
    bytes: number | null;
    audit_bytes: number;
  };
  listOwners: {
    owner: string;
    owner_kind: "org" | "user";
    repositories: number;
    git_bytes: number;
    log_bytes: number;
    lfs_bytes: number;
    attachment_bytes: number;
  };
  listRepositories: {
    repository_id: string;
    full_name: string;
    deleted: boolean;
    git_bytes: number;
    log_bytes: number;
    lfs_bytes: number;
    attachment_bytes: number;
    total_bytes: number | null;
    measured_at: Date | null;
  };
  listOwnedRepositories: {
    repository_id: string;
    full_name: string;
    deleted: boolean;
    git_bytes: number;
    log_bytes: number;
    lfs_bytes: number;
    attachment_bytes: number;
    total_bytes: number | null;
    measured_at: Date | null;
  };
  readRepository: {
    repository_id: string;
    full_name: string;
    deleted: boolean;
    git_bytes: number;
    log_bytes: number;
    lfs_bytes: number;
    attachment_bytes: number;
    total_bytes: number | null;
    measured_at: Date | null;
  };
}
