/** Made by `node scripts/generate-rows.ts` from the statements of pushed-refs.store.ts; do not edit. */

export interface PushedRefsRows {
  listKnown: {
    ref: string;
    oid: string | null;
    sent_oid: string | null;
  };
  noteSending: never;
  noteEqual: never;
  forget: never;
  forgetAll: never;
}
