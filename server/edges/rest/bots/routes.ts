/** Binds the operations on bots and their tokens. */
import type { Bot } from "@forgeline/schemas/bots/resource.ts";
import {
  createBot,
  createBotToken,
  deleteBot,
  getBot,
  getBotToken,
  listBots,
  listBotTokens,
  revokeBotToken,
  updateBot,
} from "@forgeline/schemas/bots/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { OrganizationRef } from "../../../domains/policy/domain.ts";
import type { RepositoryService } from "../../../domains/hosting/domain.ts";
import {
  type BotTokenService,
  presentTokens,
  type AccessTokenRow,
} from "../../../domains/accounts/domain.ts";
import type { BotService, BotRow } from "../../../domains/organizations/domain.ts";

export interface BotRouteDeps {
  bots: BotService;
  botTokens: BotTokenService;
  repositories: Pick<RepositoryService, "visibleNames">;
  addresses: Addresses;
}

export function registerBotRoutes(app: RouteBinder, deps: BotRouteDeps): void {
  const { bots, addresses } = deps;
  app.bindOrganization(listBots, async ({ organization, query }) => {
    const { rows, total } = await bots.list(organization, query);
    return { body: rows.map((row) => present(row, organization, addresses)), total };
  });
  app.bindOrganization(createBot, async ({ actor, organization, body }) => {
    const shown = present(await bots.create(actor, organization, body), organization, addresses);
    return { body: shown, location: shown.url };
  });
  app.bindOrganization(getBot, async ({ organization, params }) => ({
    body: present(await bots.get(organization, params.bot), organization, addresses),
  }));
  app.bindOrganization(updateBot, async ({ actor, organization, params, body }) => ({
    body: present(
      await bots.update(actor, { organization, name: params.bot }, body),
      organization,
      addresses,
    ),
  }));
  app.bindOrganization(deleteBot, ({ actor, organization, params }) =>
    bots.remove(actor, organization, params.bot),
  );
  bindTokens(app, deps);
}

function bindTokens(app: RouteBinder, deps: BotRouteDeps): void {
  const { bots, botTokens, addresses } = deps;
  const show = (actor: Actor, of: { organization: OrganizationRef; bot: BotRow }, rows: AccessTokenRow[]) =>
    presentTokens(deps, actor, {
      rows,
      at: {
        url: `${addressOf(of.bot, of.organization, addresses)}/tokens/`,
        webUrl: `${addresses.webUrl}/orgs/${encodeURIComponent(of.organization.name)}/bots#`,
      },
    });
  app.bindOrganization(listBotTokens, async ({ actor, organization, params, query }) => {
    const bot = await bots.get(organization, params.bot);
    const { rows, total } = await botTokens.list(bot.id, query);
    return { body: await show(actor, { organization, bot }, rows), total };
  });
  app.bindOrganization(createBotToken, async ({ actor, organization, params, body }) => {
    const bot = await bots.get(organization, params.bot);
    const { row, token } = await botTokens.create(
      actor,
      { organization, ...bot },
      {
        name: body.name,
        scopes: body.scopes,
        expiresInDays: body.expires_in_days ?? null,
        repositories: body.repositories,
        addressRanges: body.address_ranges,
      },
    );
    const [shown] = await show(actor, { organization, bot }, [row]);
    if (!shown) throw new Error("one row gave no record");
    return { body: { ...shown, token }, location: shown.url };
  });
  app.bindOrganization(getBotToken, async ({ actor, organization, params }) => {
    const bot = await bots.get(organization, params.bot);
    const [shown] = await show(actor, { organization, bot }, [await botTokens.get(bot.id, params.id)]);
    if (!shown) throw new Error("one row gave no record");
    return { body: shown };
  });
  app.bindOrganization(revokeBotToken, async ({ actor, organization, params }) => {
    const bot = await bots.get(organization, params.bot);
    await botTokens.revoke(actor, { organization, ...bot }, params.id);
  });
}

function addressOf(bot: BotRow, organization: OrganizationRef, addresses: Addresses): string {
  return `${addresses.baseUrl}/orgs/${encodeURIComponent(organization.name)}/bots/${encodeURIComponent(bot.name)}`;
}

function present(bot: BotRow, organization: OrganizationRef, addresses: Addresses): Bot {
  return {
    id: bot.id,
    username: bot.username,
    name: bot.name,
    display_name: bot.display_name,
    type: "bot",
    scopes: bot.scopes,
    suspended: bot.suspended,
    avatar_url: `${addresses.webUrl}/avatars/${bot.id}`,
    url: addressOf(bot, organization, addresses),
    web_url: `${addresses.webUrl}/orgs/${encodeURIComponent(organization.name)}/bots#${encodeURIComponent(bot.name)}`,
    created_at: bot.created_at.toISOString(),
    updated_at: bot.updated_at.toISOString(),
  };
}
