/** Made by `node scripts/generate-rows.ts` from the statements of requests.store.ts; do not edit. */

export interface RequestsRows {
  lockAsker: {
    pg_advisory_xact_lock: string | null;
  };
  countOpen: {
    all: number;
    same: number;
  };
  removeLapsed: never;
  insert: {
    id: string;
  };
  listOf: {
    id: string;
    import_id: string;
    login: string;
    user_id: string;
    username: string;
    asked_by: string;
    asked_by_id: string;
    host: string;
    source_path: string;
    repository_id: string;
    repository: string;
    created_at: Date;
    expires_at: Date;
  };
  listOwn: {
    id: string;
    import_id: string;
    login: string;
    user_id: string;
    username: string;
    asked_by: string;
    asked_by_id: string;
    host: string;
    source_path: string;
    repository_id: string;
    repository: string;
    created_at: Date;
    expires_at: Date;
  };
  findOwn: {
    id: string;
    import_id: string;
    login: string;
    user_id: string;
    username: string;
    asked_by: string;
    asked_by_id: string;
    host: string;
    source_path: string;
    repository_id: string;
    repository: string;
    created_at: Date;
    expires_at: Date;
  };
  remove: {
    id: string;
  };
  removeOf: never;
  agree: {
    id: string;
  };
  nameMember: {
    id: string;
  };
  removeInto: never;
}
