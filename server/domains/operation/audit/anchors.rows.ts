/** Made by `node scripts/generate-rows.ts` from the statements of anchors.store.ts; do not edit. */

export interface AnchorsRows {
  listTouching: {
    chain: string;
    first: number;
    last: number;
    before: string;
    hash: string;
    signature: string;
  };
  listAfter: {
    chain: string;
    first: number;
    last: number;
    before: string;
    hash: string;
    signature: string;
  };
  deleteAnchors: never;
  insertAnchors: never;
  signAgain: never;
  findCovering: {
    chain: string;
    first: number;
    last: number;
    before: string;
    hash: string;
    signature: string;
  };
  countExpired: {
    entries: number;
  };
}
