/** Made by `node scripts/generate-rows.ts` from the statements of waiting.store.ts; do not edit. */

export interface WaitingRows {
  insert: never;
  delay: never;
  claim: {
    claimed: boolean | null;
  };
  dueSingles: {
    id: number;
    user_id: string;
  };
  dueDigests: {
    id: number;
    user_id: string;
    address: string | null;
  };
  headOf: {
    address: string | null;
    owner: string;
    name: string;
    kind: "issue" | "merge_request";
    number: number;
    title: string;
  };
  assign: never;
  remove: never;
  removeDue: never;
}
