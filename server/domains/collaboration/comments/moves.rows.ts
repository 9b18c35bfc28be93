/** Made by `node scripts/generate-rows.ts` from the statements of moves.store.ts; do not edit. */

export interface MovesRows {
  listNaming: {
    id: string;
    body: string;
  };
  moveComments: never;
  setBodies: never;
  replaceInBodies: never;
}
