/** Made by `node scripts/generate-rows.ts` from the statements of moves.store.ts; do not edit. */

export interface MovesRows {
  moveItem: never;
  insertMove: never;
  removeLabels: never;
  removeStrangers: never;
  findMoved: {
    owner: string;
    name: string;
    number: number;
  };
}
