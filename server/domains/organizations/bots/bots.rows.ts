/** Made by `node scripts/generate-rows.ts` from the statements of bots.store.ts; do not edit. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";

export interface BotsRows {
  listBots: {
    id: string;
    username: string;
    name: string;
    display_name: string;
    scopes: Scope[];
    suspended: boolean;
    created_at: Date;
    updated_at: Date;
  };
  findBot: {
    id: string;
    username: string;
    name: string;
    display_name: string;
    scopes: Scope[];
    suspended: boolean;
    created_at: Date;
    updated_at: Date;
  };
  insertBot: never;
  setScopes: never;
  deleteBots: never;
}
