/** Made by `node scripts/generate-rows.ts` from the statements of admin.store.ts; do not edit. */

export interface AdminRows {
  listOrganizations: {
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
  setPlan: {
    id: string;
    name: string;
    old_plan: "enterprise" | "free" | "organization" | "pro";
  };
}
