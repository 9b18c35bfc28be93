/** Made by `node scripts/generate-rows.ts` from the statements of measurement.store.ts; do not edit. */

export interface MeasurementRows {
  markDue: never;
  adoptUnmarked: never;
  claimDue: {
    repository_id: string;
    due_at: Date;
  };
  sumLfsObjects: {
    bytes: number;
  };
  sumAttachments: {
    bytes: number;
  };
  keepSizes: never;
}
