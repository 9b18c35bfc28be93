/** Made by `node scripts/generate-rows.ts` from the statements of repository-events.store.ts; do not edit. */

export interface RepositoryEventsRows {
  insertEvents: {
    position: number;
  };
}
