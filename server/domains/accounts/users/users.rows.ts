/** Made by `node scripts/generate-rows.ts` from the statements of users.store.ts; do not edit. */
import type { OwnUser } from "@forgeline/schemas/users/resource.ts";

export interface UsersRows {
  findUser: {
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
  findUsers: {
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
  findUserByName: {
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
  findForSignIn: {
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
    password_hash: string | null;
  };
  findSignInUser: {
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
    password_hash: string | null;
  };
  insertUser: {
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
  makeAdmin: never;
  setPassword: never;
  setPrimaryEmail: never;
  replaceHash: never;
  updateProfile: {
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
  findUsernamesByEmail: {
    email: string | null;
    username: string;
  };
}
