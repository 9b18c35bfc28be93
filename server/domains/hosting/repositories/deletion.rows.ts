/** Made by `node scripts/generate-rows.ts` from the statements of deletion.store.ts; do not edit. */

export interface DeletionRows {
  findDeleted: {
    id: string;
    owner_id: string;
    owner: string;
    owner_kind: "org" | "user";
    name: string;
    description: string;
    visibility: "internal" | "private" | "public";
    default_branch: string;
    archived: boolean;
    mirror: boolean;
    importing: boolean;
    public_pipelines: boolean;
    mirror_sync_pipelines: boolean;
    fork_sync_pipelines: boolean;
    merge_request_pipelines: "head" | "merged_result";
    job_permissions_max: "read" | "write";
    size_kb: number;
    topics: string[];
    primary_language: string | null;
    forked: boolean;
    upstream_id: string | null;
    deleted_at: Date;
    created_at: Date;
    updated_at: Date;
    level: "admin";
  };
  markDeleted: {
    id: string;
  };
  findNamesake: {
    id: string;
  };
  unmarkDeleted: {
    id: string;
  };
  lockExpired: {
    id: string;
  };
  dropRepository: never;
}
