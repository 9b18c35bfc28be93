/** Made by `node scripts/generate-rows.ts` from the statements of organizations.store.ts; do not edit. */

export interface OrganizationsRows {
  findOrganization: {
    id: string;
    name: string;
    display_name: string;
    description: string;
    plan: "enterprise" | "free" | "organization" | "pro";
    members_can_create_repositories: boolean;
    shared_concurrency: boolean;
    created_at: Date;
    updated_at: Date;
    sso_configured: boolean;
  };
  findOrganizationByName: {
    id: string;
    name: string;
    display_name: string;
    description: string;
    plan: "enterprise" | "free" | "organization" | "pro";
    members_can_create_repositories: boolean;
    shared_concurrency: boolean;
    created_at: Date;
    updated_at: Date;
    sso_configured: boolean;
  };
  insertOrganization: never;
  updateOrganization: never;
  lockOrganization: {
    id: string;
  };
  findAnyRepository: {
    id: string;
  };
  listOfUser: {
    id: string;
    name: string;
    display_name: string;
    description: string;
    plan: "enterprise" | "free" | "organization" | "pro";
    members_can_create_repositories: boolean;
    shared_concurrency: boolean;
    created_at: Date;
    updated_at: Date;
    sso_configured: boolean;
    role: "member" | "owner";
  };
}
