/** Bots and their tokens as the REST interface shows them. */
import type { Bot } from "@forgeline/schemas/bots/resource.ts";
import type { AccessToken } from "@forgeline/schemas/tokens/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentTokenAt } from "../../accounts/domain.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import type { BotToken } from "./bot-tokens.ts";
import type { BotRow } from "./bots.store.ts";

export function presentBot(bot: BotRow, organization: OrganizationRef, addresses: Addresses): Bot {
  return {
    id: bot.id,
    username: bot.username,
    name: bot.name,
    display_name: bot.display_name,
    type: "bot",
    scopes: bot.scopes,
    suspended: bot.suspended,
    avatar_url: `${addresses.webUrl}/avatars/${bot.id}`,
    url: urlOf(bot, organization, addresses),
    web_url: `${addresses.webUrl}/orgs/${encodeURIComponent(organization.name)}/bots#${encodeURIComponent(bot.name)}`,
    created_at: bot.created_at.toISOString(),
    updated_at: bot.updated_at.toISOString(),
  };
}

export function presentBotToken({ organization, bot, token }: BotToken, addresses: Addresses): AccessToken {
  return presentTokenAt(token, {
    url: `${urlOf(bot, organization, addresses)}/tokens/`,
    webUrl: `${addresses.webUrl}/orgs/${encodeURIComponent(organization.name)}/bots#`,
  });
}

function urlOf(bot: BotRow, organization: OrganizationRef, addresses: Addresses): string {
  return `${addresses.baseUrl}/orgs/${encodeURIComponent(organization.name)}/bots/${encodeURIComponent(bot.name)}`;
}
