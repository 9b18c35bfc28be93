/** Made by `node scripts/generate-rows.ts` from the statements of old-runs.store.ts; do not edit. */

export interface OldRunsRows {
  listOld: {
    id: string;
    number: number;
    branch: string | null;
    has_logs: boolean;
    has_artifacts: boolean;
    newest: boolean;
    deployed: boolean;
  };
  markWithoutLogs: never;
  remove: {
    id: string;
  };
}
