/** Made by `node scripts/generate-rows.ts` from the statements of organization-events.store.ts; do not edit. */

export interface OrganizationEventsRows {
  insertEvent: {
    position: number;
  };
}
