/** Made by `node scripts/generate-rows.ts` from the statements of reviewers.store.ts; do not edit. */

export interface ReviewersRows {
  listUsers: {
    user_snapshot: unknown;
    reason: "code_owner" | "requested" | null;
    pattern: string | null;
    state: "approved" | "changes_requested" | "commented" | "dismissed" | "pending" | "waiting" | null;
  };
  listTeams: {
    team: string;
    reason: "code_owner" | "requested";
    pattern: string | null;
    state: "approved" | "changes_requested" | "commented" | "dismissed" | "pending" | "waiting";
  };
  visibleTeams: {
    merge_request_id: string;
    teams: string[];
  };
  usersOf: {
    id: string;
    username: string;
  };
  teamsOf: {
    id: string;
  };
  findReviewers: {
    id: string;
    username: string;
  };
  findTeams: {
    id: string;
    name: string;
  };
  addUsers: never;
  addTeams: never;
  removeUsers: never;
  removeTeams: never;
  countAsked: {
    total: number;
  };
  removeOwners: never;
  addOwners: {
    user_id: string | null;
    team_id: string | null;
  };
  setPatterns: never;
}
