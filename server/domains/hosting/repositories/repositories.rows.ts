/** Made by `node scripts/generate-rows.ts` from the statements of repositories.store.ts; do not edit. */

export interface RepositoriesRows {
  findByName: {
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
    public_pipelines: boolean;
    size_kb: number;
    topics: string[];
    primary_language: string | null;
    forked: boolean;
    upstream_id: string | null;
    deleted_at: Date | null;
    created_at: Date;
    updated_at: Date;
    level: "read" | "triage" | "write" | "maintain" | "admin" | null;
  };
  levelById: {
    level: "read" | "triage" | "write" | "maintain" | "admin" | null;
  };
  levelOfOther: {
    id: string;
    owner_id: string;
    name: string;
    description: string;
    visibility: "internal" | "private" | "public";
    default_branch: string;
    archived: boolean;
    public_pipelines: boolean;
    next_pipeline_number: number;
    size_kb: number;
    created_at: Date;
    updated_at: Date;
    topics: string[];
    deleted_at: Date | null;
    forked: boolean;
    upstream_id: string | null;
    primary_language: string | null;
    mirror: boolean;
    level: "read" | "triage" | "write" | "maintain" | "admin" | null;
  };
  findMoved: {
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
    public_pipelines: boolean;
    size_kb: number;
    topics: string[];
    primary_language: string | null;
    forked: boolean;
    upstream_id: string | null;
    deleted_at: Date | null;
    created_at: Date;
    updated_at: Date;
    level: "read" | "triage" | "write" | "maintain" | "admin" | null;
  };
  findVisibleNames: {
    id: string;
    full_name: string;
  };
  findById: {
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
    public_pipelines: boolean;
    size_kb: number;
    topics: string[];
    primary_language: string | null;
    forked: boolean;
    upstream_id: string | null;
    deleted_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  findByIds: {
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
    public_pipelines: boolean;
    size_kb: number;
    topics: string[];
    primary_language: string | null;
    forked: boolean;
    upstream_id: string | null;
    deleted_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  insertRepository: {
    id: string;
  };
  takeName: never;
}
