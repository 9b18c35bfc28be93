/** Made by `node scripts/generate-rows.ts` from the statements of app.store.ts; do not edit. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";

export interface AppRows {
  insertApp: {
    id: string;
    owner_id: string;
    owner: string;
    name: string;
    redirect_uris: string[];
    homepage_url: string | null;
    scopes: Scope[];
    confidential: boolean;
    created_at: Date;
    updated_at: Date;
  };
  countApps: {
    total: number;
  };
  listApps: {
    id: string;
    owner_id: string;
    owner: string;
    name: string;
    redirect_uris: string[];
    homepage_url: string | null;
    scopes: Scope[];
    confidential: boolean;
    created_at: Date;
    updated_at: Date;
  };
  findApp: {
    id: string;
    owner_id: string;
    owner: string;
    name: string;
    redirect_uris: string[];
    homepage_url: string | null;
    scopes: Scope[];
    confidential: boolean;
    created_at: Date;
    updated_at: Date;
  };
  lockApp: {
    id: string;
    owner_id: string;
    owner: string;
    name: string;
    redirect_uris: string[];
    homepage_url: string | null;
    scopes: Scope[];
    confidential: boolean;
    created_at: Date;
    updated_at: Date;
  };
  updateApp: {
    id: string;
    owner_id: string;
    owner: string;
    name: string;
    redirect_uris: string[];
    homepage_url: string | null;
    scopes: Scope[];
    confidential: boolean;
    created_at: Date;
    updated_at: Date;
  };
  replaceSecret: {
    id: string;
    owner_id: string;
    owner: string;
    name: string;
    redirect_uris: string[];
    homepage_url: string | null;
    scopes: Scope[];
    confidential: boolean;
    created_at: Date;
    updated_at: Date;
  };
  deleteApp: never;
  findClient: {
    id: string;
    owner_id: string;
    owner: string;
    name: string;
    redirect_uris: string[];
    homepage_url: string | null;
    scopes: Scope[];
    confidential: boolean;
    created_at: Date;
    updated_at: Date;
    secret_hash: Buffer | null;
  };
}
