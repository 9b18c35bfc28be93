/** Tokens of bots (`svc_bot_`), made and revoked by owners of the bot's organization. */
import { scopeCovers, type Scope } from "@forgeline/schemas/core/scopes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import { insertNewToken, lockWithin, resolveWanted, type TokenRequest } from "./create.ts";
import { nameRepositories, nameRepositoriesOf, type NamedToken, type NewToken } from "./named-token.ts";
import type { TokenServiceDeps } from "./service.ts";
import * as store from "./tokens.store.ts";
import type { AccessTokenRow } from "./tokens.store.ts";

export interface TokenBot {
  organization: OrganizationRef;
  id: string;
  username: string;
  scopes: readonly Scope[];
}

export interface BotTokenService {
  /** Throws what the creation of a personal token throws, and `validation_failed` for scopes that the bot does not have. */
  create(actor: Actor, bot: TokenBot, request: TokenRequest): Promise<NewToken>;
  list(actor: Actor, botId: string, page: PageQuery): Promise<{ tokens: NamedToken[]; total: number }>;
  /** Throws `not_found`. */
  get(actor: Actor, botId: string, id: string): Promise<NamedToken>;
  /** Throws `not_found`. */
  revoke(actor: Actor, bot: TokenBot, id: string): Promise<void>;
}

export function createBotTokenService(deps: TokenServiceDeps): BotTokenService {
  const { db, visibleNames } = deps;
  return {
    async create(actor, bot, request) {
      refuseBeyond(bot, request.scopes);
      const wanted = await resolveWanted(deps.authorizer, actor, request);
      const { row, token } = await db.transaction(async (tx) => {
        await lockWithin(tx, actor, { request, wanted });
        const created = await insertNewToken(tx, { kind: "bot", userId: bot.id }, { request, wanted });
        await recordAudit(tx, actor, {
          action: "org.bot_token_create",
          target: targetOf(bot),
          details: { ...detailsOf(bot, created.row), scopes: wanted.scopes },
        });
        return created;
      });
      return { ...(await nameRepositoriesOf(visibleNames, actor, row)), token };
    },
    async list(actor, botId, page) {
      const { rows, total } = await store.listTokens(db, botId, page);
      return { tokens: await nameRepositories(visibleNames, actor, rows), total };
    },
    async get(actor, botId, id) {
      const row = await store.findToken(db, botId, id);
      if (!row) throw new AppError("not_found");
      return nameRepositoriesOf(visibleNames, actor, row);
    },
    async revoke(actor, bot, id) {
      await db.transaction(async (tx) => {
        const row = await store.markRevoked(tx, bot.id, id);
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "org.bot_token_revoke",
          target: targetOf(bot),
          details: detailsOf(bot, row),
        });
        await tx.notify("token", id);
      });
    },
  };
}

function refuseBeyond(bot: TokenBot, wanted: readonly Scope[]): void {
  const beyond = wanted.filter((scope) => !scopeCovers(bot.scopes, scope));
  if (beyond.length === 0) return;
  const message = `The bot does not have ${beyond.join(", ")}.`;
  throw invalidField("scopes", "not_allowed", message);
}

function targetOf({ organization }: TokenBot) {
  return { type: "organization", id: organization.id, name: organization.name };
}

function detailsOf(bot: TokenBot, row: AccessTokenRow) {
  return { bot_id: bot.id, bot: bot.username, token_id: row.id, token: row.name };
}
