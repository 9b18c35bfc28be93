/** Made by `node scripts/generate-rows.ts` from the statements of label-sets.store.ts; do not edit. */

export interface LabelSetsRows {
  readSets: {
    labels: string[];
  };
  lockOwner: {
    pg_advisory_xact_lock: string | null;
  };
  countSets: {
    counted: number;
  };
}
