/** Made by `node scripts/generate-rows.ts` from the statements of replies.store.ts; do not edit. */

export interface RepliesRows {
  putAddress: {
    number: number;
  };
  findTarget: {
    user_id: string;
    thread_id: string | null;
    kind: "issue" | "merge_request";
    number: number;
    owner: string;
    name: string;
  };
  isVerified: {
    id: string;
  };
  countRecent: {
    in_hour: number;
    answered_in_day: number;
    same: number;
  };
  record: {
    id: number;
  };
  removeOldMails: never;
  removeOldAddresses: never;
}
