/** Made by `node scripts/generate-rows.ts` from the statements of grant.store.ts; do not edit. */

export interface GrantRows {
  listGrants: {
    repository_id: string;
    permission: "read" | "triage" | "write" | "maintain" | "admin";
    team_id: string;
    team_path: string;
    level: "read" | "triage" | "write" | "maintain" | "admin";
  };
  holdRepository: {
    id: string;
  };
  findGrant: {
    permission: "read" | "triage" | "write" | "maintain" | "admin";
  };
  putGrant: never;
  deleteGrant: never;
  endTeamGrants: never;
}
