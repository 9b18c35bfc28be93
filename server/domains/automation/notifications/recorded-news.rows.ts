/** Made by `node scripts/generate-rows.ts` from the statements of recorded-news.store.ts; do not edit. */

export interface RecordedNewsRows {
  readNews: {
    position: number;
    kind: string;
    action: string;
    sender_id: string | null;
    item_id: string | null;
    text_id: string | null;
    body: string | null;
    assignee_ids: string[] | null;
    reviewer_ids: string[] | null;
    asked_user_ids: string[];
    asked_team_ids: string[];
    asker_ids: string[] | null;
    ended: string | null;
    state: string | null;
  };
}
