/** Made by `node scripts/generate-rows.ts` from the statements of collaborators.store.ts; do not edit. */

export interface CollaboratorsRows {
  listCollaborators: {
    user_id: string;
    permission: "read" | "triage" | "write" | "maintain" | "admin";
    created_at: Date;
    updated_at: Date;
  };
  holdRepository: {
    owner_id: string;
  };
  findPermission: {
    permission: "read" | "triage" | "write" | "maintain" | "admin";
  };
  putCollaborator: {
    user_id: string;
    permission: "read" | "triage" | "write" | "maintain" | "admin";
    created_at: Date;
    updated_at: Date;
  };
  grantCreator: never;
  deleteCollaborator: {
    permission: "read" | "triage" | "write" | "maintain" | "admin";
  };
  dropFromOrganization: {
    repository_id: string;
  };
  dropUsers: never;
}
