/** Made by `node scripts/generate-rows.ts` from the statements of alerts.store.ts; do not edit. */

export interface AlertsRows {
  findMaintainers: {
    name: string;
    user_id: string;
  };
}
