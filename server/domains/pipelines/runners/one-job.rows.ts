/** Made by `node scripts/generate-rows.ts` from the statements of one-job.store.ts; do not edit. */

export interface OneJobRows {
  revokeSpent: {
    id: string;
    name: string;
    organizationId: string | null;
    jobTaken: boolean;
  };
}
