/** Tokens of an organization's bots, by the bots' names. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type {
  BotTokenService as TokensOfBots,
  NamedToken,
  NewToken,
  TokenRequest,
} from "../../accounts/domain.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import type { BotRow } from "./bots.store.ts";
import type { BotService } from "./service.ts";

export interface BotAddress {
  organization: OrganizationRef;
  /** Without the organization's. */
  name: string;
}

export interface BotToken {
  organization: OrganizationRef;
  bot: BotRow;
  token: NamedToken;
}

/** All methods throw `not_found` for an unknown bot. */
export interface BotTokenService {
  list(actor: Actor, bot: BotAddress, page: PageQuery): Promise<{ tokens: BotToken[]; total: number }>;
  /** Throws what the creation of a personal token throws, and `validation_failed` for scopes that the bot does not have. */
  create(actor: Actor, bot: BotAddress, request: TokenRequest): Promise<BotToken & { token: NewToken }>;
  /** Throws `not_found`; so does `revoke`. */
  get(actor: Actor, bot: BotAddress, id: string): Promise<BotToken>;
  revoke(actor: Actor, bot: BotAddress, id: string): Promise<void>;
}

export interface BotTokenServiceDeps {
  bots: Pick<BotService, "get">;
  /** Of the accounts that the bots are. */
  tokens: TokensOfBots;
}

export function createBotTokenService({ bots, tokens }: BotTokenServiceDeps): BotTokenService {
  return {
    async list(actor, { organization, name }, page) {
      const bot = await bots.get(organization, name);
      const { tokens: listed, total } = await tokens.list(actor, bot.id, page);
      return { tokens: listed.map((token) => ({ organization, bot, token })), total };
    },
    async create(actor, { organization, name }, request) {
      const bot = await bots.get(organization, name);
      const token = await tokens.create(actor, { organization, ...bot }, request);
      return { organization, bot, token };
    },
    async get(actor, { organization, name }, id) {
      const bot = await bots.get(organization, name);
      return { organization, bot, token: await tokens.get(actor, bot.id, id) };
    },
    async revoke(actor, { organization, name }, id) {
      const bot = await bots.get(organization, name);
      await tokens.revoke(actor, { organization, ...bot }, id);
    },
  };
}
