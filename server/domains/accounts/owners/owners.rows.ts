/** Made by `node scripts/generate-rows.ts` from the statements of owners.store.ts; do not edit. */

export interface OwnersRows {
  insertOwner: {
    id: string;
  };
  releaseNames: never;
  deleteOrganizationOwner: never;
}
