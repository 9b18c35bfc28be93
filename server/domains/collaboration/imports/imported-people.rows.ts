/** Made by `node scripts/generate-rows.ts` from the statements of imported-people.store.ts; do not edit. */

export interface ImportedPeopleRows {
  listUnnamed: {
    name: string;
    texts: number;
  };
  findUnnamed: {
    name: string;
    texts: number;
  };
  giveItems: {
    id: string;
  };
  giveComments: {
    id: string;
  };
  giveReviews: {
    id: string;
  };
  giveThreads: {
    id: string;
  };
  assign: never;
  addUnnamed: never;
}
