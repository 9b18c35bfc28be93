/** Made by `node scripts/generate-rows.ts` from the statements of places.store.ts; do not edit. */

export interface PlacesRows {
  putAfter: {
    digits: number | null;
    place: string;
  };
  putBefore: {
    digits: number | null;
    place: string;
  };
  spread: never;
}
