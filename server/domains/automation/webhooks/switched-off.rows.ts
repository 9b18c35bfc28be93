/** Made by `node scripts/generate-rows.ts` from the statements of switched-off.store.ts; do not edit. */

export interface SwitchedOffRows {
  findOwners: {
    place_id: string;
    place: string;
    user_id: string;
  };
}
