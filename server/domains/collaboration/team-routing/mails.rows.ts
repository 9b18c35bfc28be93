/** Made by `node scripts/generate-rows.ts` from the statements of mails.store.ts; do not edit. */

export interface MailsRows {
  claim: {
    claimed: boolean | null;
  };
  dueSingles: {
    id: number;
    team_id: string;
  };
  dueDigests: {
    id: number;
    team_id: string;
  };
  headOf: {
    address: string;
    owner: string;
    name: string;
    kind: "issue" | "merge_request";
    number: number;
    title: string;
  };
  assign: never;
  remove: never;
  removeDue: never;
  removeAll: never;
  delay: never;
  letters: {
    position: number;
    team_id: string;
    work_item_id: string;
    event: string;
    reason: string;
    address: string;
    kind: "issue" | "merge_request";
    number: number;
    title: string;
    owner: string;
    name: string;
    actor: string | null;
    actor_name: string | null;
  };
}
