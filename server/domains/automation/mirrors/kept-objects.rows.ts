/** Made by `node scripts/generate-rows.ts` from the statements of kept-objects.store.ts; do not edit. */

export interface KeptObjectsRows {
  insertKept: never;
  countKept: {
    count: number;
  };
  limitKept: never;
  listExpired: {
    repository_id: string;
    oid: string;
  };
  deleteKept: never;
}
