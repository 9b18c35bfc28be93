/**
 * The user accounts of bots, for the organizations domain; each call works in the caller's transaction. The name `<org>/<bot>`
 * is one of `owners`, so it is unique.
 */
import type { Transaction } from "../../../platform/db/database.ts";
import type { OwnerService } from "../owners/service.ts";
import type { TokenService } from "../tokens/service.ts";
import * as store from "./bot-users.store.ts";

export interface BotUserService {
  /** False when the organization has a bot of that name. */
  create(
    tx: Transaction,
    bot: { id: string; username: string; displayName: string; organizationId: string },
  ): Promise<boolean>;
  update(tx: Transaction, id: string, change: { displayName?: string | undefined }): Promise<void>;
  /**
   * Retires one bot of the organization, or all: they can no longer act, their tokens are revoked and their names can be taken
   * again. Returns their ids.
   */
  retire(tx: Transaction, bots: { organizationId: string; id?: string | undefined }): Promise<string[]>;
}

export function createBotUserService(deps: {
  owners: Pick<OwnerService, "add" | "releaseNames">;
  tokens: Pick<TokenService, "revokeAll">;
}): BotUserService {
  const { owners, tokens } = deps;
  return {
    create: async (tx, bot) => {
      if (!(await owners.add(tx, { id: bot.id, name: bot.username, kind: "user" }))) return false;
      await store.insertBotUser(tx, bot);
      return true;
    },
    update: store.changeBotUser,
    retire: async (tx, bots) => {
      const ids = await store.retireBotUsers(tx, bots);
      await owners.releaseNames(tx, ids);
      await tokens.revokeAll(tx, ids);
      return ids;
    },
  };
}
