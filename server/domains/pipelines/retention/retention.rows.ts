/** Made by `node scripts/generate-rows.ts` from the statements of retention.store.ts; do not edit. */

export interface RetentionRows {
  find: {
    runs_days: number | null;
    logs_days: number | null;
    artifacts_days: number | null;
    caches_days: number | null;
    reports_days: number | null;
    updated_at: Date;
  };
  findOfOwner: {
    runs_days: number | null;
    logs_days: number | null;
    artifacts_days: number | null;
    caches_days: number | null;
    reports_days: number | null;
  };
  holdRepository: {
    id: string;
  };
  holdOrganization: {
    id: string;
  };
  remove: never;
  insert: never;
  listRuled: {
    id: string;
    runs_days: number | null;
    logs_days: number | null;
  };
}
