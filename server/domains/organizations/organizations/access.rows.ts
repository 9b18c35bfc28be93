/** Made by `node scripts/generate-rows.ts` from the statements of access.store.ts; do not edit. */

export interface AccessRows {
  findOrganization: {
    id: string;
    name: string;
    members_can_create_repositories: boolean;
    role: "member" | "owner" | null;
  };
  findTeam: {
    id: string;
    path: string;
    visibility: "secret" | "visible";
    role: "maintainer" | "member" | null;
  };
}
