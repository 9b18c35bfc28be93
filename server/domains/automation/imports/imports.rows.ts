/** Made by `node scripts/generate-rows.ts` from the statements of imports.store.ts; do not edit. */

export interface ImportsRows {
  lockOwner: {
    pg_advisory_xact_lock: string | null;
  };
  countOpen: {
    count: number;
  };
  insertImport: never;
  findImport: {
    id: string;
    repository_id: string | null;
    repository_name: string;
    source: "github" | "gitlab";
    api_url: string;
    host: string;
    source_path: string;
    include: string[];
    users: unknown;
    sealed_token: Buffer | null;
    status: "cancelled" | "done" | "failed" | "paused" | "queued" | "running";
    attempt: number;
    step: string;
    page: number;
    cursor: string | null;
    item_number: number;
    number_offset: number;
    last_number: number;
    progress: unknown;
    left_out: number;
    failures: number;
    resumes_at: Date | null;
    records_read: number;
    begun_at: Date;
    error: string | null;
    created_by: string;
    created_at: Date;
    updated_at: Date;
    finished_at: Date | null;
    requested_by: string | null;
  };
  listImports: {
    id: string;
    repository_id: string | null;
    repository_name: string;
    source: "github" | "gitlab";
    api_url: string;
    host: string;
    source_path: string;
    include: string[];
    users: unknown;
    sealed_token: Buffer | null;
    status: "cancelled" | "done" | "failed" | "paused" | "queued" | "running";
    attempt: number;
    step: string;
    page: number;
    cursor: string | null;
    item_number: number;
    number_offset: number;
    last_number: number;
    progress: unknown;
    left_out: number;
    failures: number;
    resumes_at: Date | null;
    records_read: number;
    begun_at: Date;
    error: string | null;
    created_by: string;
    created_at: Date;
    updated_at: Date;
    finished_at: Date | null;
    requested_by: string | null;
  };
  lockImport: {
    id: string;
    repository_id: string | null;
    repository_name: string;
    source: "github" | "gitlab";
    api_url: string;
    host: string;
    source_path: string;
    include: string[];
    users: unknown;
    sealed_token: Buffer | null;
    status: "cancelled" | "done" | "failed" | "paused" | "queued" | "running";
    attempt: number;
    step: string;
    page: number;
    cursor: string | null;
    item_number: number;
    number_offset: number;
    last_number: number;
    progress: unknown;
    left_out: number;
    failures: number;
    resumes_at: Date | null;
    records_read: number;
    begun_at: Date;
    error: string | null;
    created_by: string | null;
    created_at: Date;
    updated_at: Date;
    finished_at: Date | null;
  };
  begin: {
    id: string;
    repository_id: string | null;
    repository_name: string;
    source: "github" | "gitlab";
    api_url: string;
    host: string;
    source_path: string;
    include: string[];
    users: unknown;
    sealed_token: Buffer | null;
    status: "cancelled" | "done" | "failed" | "paused" | "queued" | "running";
    attempt: number;
    step: string;
    page: number;
    cursor: string | null;
    item_number: number;
    number_offset: number;
    last_number: number;
    progress: unknown;
    left_out: number;
    failures: number;
    resumes_at: Date | null;
    records_read: number;
    begun_at: Date;
    error: string | null;
    created_by: string | null;
    created_at: Date;
    updated_at: Date;
    finished_at: Date | null;
  };
  moveOn: never;
  setNumbers: never;
  pause: never;
  noteFailure: {
    failures: number;
  };
  endImport: {
    id: string;
  };
  findOpenInto: {
    id: string;
    repository_id: string;
    repository_name: string;
    source: "github" | "gitlab";
    api_url: string;
    host: string;
    source_path: string;
    include: string[];
    users: unknown;
    sealed_token: Buffer | null;
    status: "cancelled" | "done" | "failed" | "paused" | "queued" | "running";
    attempt: number;
    step: string;
    page: number;
    cursor: string | null;
    item_number: number;
    number_offset: number;
    last_number: number;
    progress: unknown;
    left_out: number;
    failures: number;
    resumes_at: Date | null;
    records_read: number;
    begun_at: Date;
    error: string | null;
    created_by: string | null;
    created_at: Date;
    updated_at: Date;
    finished_at: Date | null;
  };
  retryImport: {
    attempt: number;
  };
  removeItems: never;
  removeOld: {
    id: string;
  };
  knownItems: {
    source_id: string;
    local_id: string;
  };
  insertItems: never;
  insertNotes: never;
  listNotes: {
    kind: string;
    source_id: string;
    reason: string;
  };
  knownUsers: {
    id: string;
  };
  findMappable: {
    id: string;
    name: string;
  };
  stillMappable: {
    id: string;
  };
  forgetUsers: never;
}
