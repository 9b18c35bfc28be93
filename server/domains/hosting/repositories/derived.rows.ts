/** Made by `node scripts/generate-rows.ts` from the statements of derived.store.ts; do not edit. */

export interface DerivedRows {
  touchRepository: never;
  setPrimaryLanguage: never;
  setSize: never;
}
