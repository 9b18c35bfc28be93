/** Made by `node scripts/generate-rows.ts` from the statements of decisions.store.ts; do not edit. */

export interface DecisionsRows {
  decisionsOf: {
    user_id: string;
    person: unknown;
    state: "approved" | "changes_requested" | "commented" | "dismissed" | "pending";
    head_sha: string;
    may_write: boolean;
  };
  seenPush: {
    is_seen: boolean;
    user_id: string | null;
    source_repository_id: string | null;
    source_branch: string;
  };
  membersAmong: {
    user_id: string;
    team_id: string;
  };
  openWithHead: {
    number: number;
  };
}
