/** Made by `node scripts/generate-rows.ts` from the statements of letters.store.ts; do not edit. */

export interface LettersRows {
  list: {
    id: number;
    position: number;
    user_id: string;
    address: string | null;
    event: string;
    reason: string;
    work_item_id: string;
    kind: "issue" | "merge_request";
    number: number;
    title: string;
    owner: string;
    name: string;
    actor: string | null;
    actor_name: string | null;
    thread_id: string | null;
    path: string | null;
    line: number | null;
    review_state: "approved" | "changes_requested" | "commented" | "dismissed" | "pending" | null;
    ended_because: string | null;
    is_own: boolean;
    body: string;
  };
}
