/** Made by `node scripts/generate-rows.ts` from the statements of admin.store.ts; do not edit. */
import type { OwnUser } from "@forgeline/schemas/users/resource.ts";

export interface AdminRows {
  listUsers: {
    id: string;
    username: string;
    display_name: string;
    email: string;
    email_public: boolean;
    type: "bot" | "user";
    plan: OwnUser["plan"];
    is_admin: boolean;
    suspended: boolean;
    created_at: Date;
    updated_at: Date;
    two_factor_enabled: boolean;
  };
  lockAdministrators: {
    id: string;
  };
  hasAdministrator: {
    "?column?": number;
  };
  updateStatus: never;
}
