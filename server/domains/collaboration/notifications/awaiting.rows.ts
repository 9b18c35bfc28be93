/** Made by `node scripts/generate-rows.ts` from the statements of awaiting.store.ts; do not edit. */

export interface AwaitingRows {
  listApprovers: {
    user_id: string;
    is_waiting: boolean;
  };
  dropTellings: never;
  end: never;
}
