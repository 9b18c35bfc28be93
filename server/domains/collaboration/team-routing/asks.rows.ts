/** Made by `node scripts/generate-rows.ts` from the statements of asks.store.ts; do not edit. */

export interface AsksRows {
  lock: {
    locked: boolean;
  };
  count: {
    just_now: boolean;
    of_address: number;
    of_actor: number;
    has_ended: boolean;
  };
  insert: never;
  removeOld: never;
}
