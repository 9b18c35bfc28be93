/** Made by `node scripts/generate-rows.ts` from the statements of settings.store.ts; do not edit. */

export interface SettingsRows {
  lockRepository: {
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
    deleted_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  saveSettings: never;
  setOwner: never;
  isTaken: {
    id: string;
  };
  setMirror: never;
  leaveName: never;
}
