/** Made by `node scripts/generate-rows.ts` from the statements of secrets.store.ts; do not edit. */

export interface SecretsRows {
  listSecrets: {
    id: string;
    name: string;
    branches: string[];
    tags: string[];
    event_names: string[];
    stage_globs: string[];
    images: string[];
    environments: string[];
    repositories: string[];
    last_used_at: Date | null;
    created_at: Date;
    updated_at: Date;
    updated_by: string | null;
  };
  findSecret: {
    id: string;
  };
  holdRepository: {
    id: string;
  };
  holdOrganization: {
    id: string;
  };
  holdEnvironment: {
    id: string;
  };
  holdInstance: {
    pg_advisory_xact_lock: string | null;
  };
  countSecrets: {
    count: number;
  };
  putSecret: {
    id: string;
    name: string;
    branches: string[];
    tags: string[];
    event_names: string[];
    stage_globs: string[];
    images: string[];
    environments: string[];
    repositories: string[];
    last_used_at: Date | null;
    created_at: Date;
    updated_at: Date;
    updated_by: string | null;
    existed: boolean | null;
  };
  retireValues: never;
  insertValue: never;
  deleteSecret: {
    id: string;
  };
  dropOldValues: never;
  listUses: {
    repository: string;
    pipeline_id: string;
    pipeline_number: number;
    job_id: string;
    job: string;
    attempt: number;
    used_at: Date;
  };
}
