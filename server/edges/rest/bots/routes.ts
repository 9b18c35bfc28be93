/** Binds the operations on bots and their tokens. */
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
import {
  presentBot,
  presentBotToken,
  type BotService,
  type BotTokenService,
} from "../../../domains/organizations/domain.ts";

export interface BotRouteDeps {
  bots: BotService;
  botTokens: BotTokenService;
  addresses: Addresses;
}

export function registerBotRoutes(app: RouteBinder, deps: BotRouteDeps): void {
  const { bots, addresses } = deps;
  app.bindOrganization(listBots, async ({ organization, query }) => {
    const { rows, total } = await bots.list(organization, query);
    return { body: rows.map((row) => presentBot(row, organization, addresses)), total };
  });
  app.bindOrganization(createBot, async ({ actor, organization, body }) => {
    const shown = presentBot(await bots.create(actor, organization, body), organization, addresses);
    return { body: shown, location: shown.url };
  });
  app.bindOrganization(getBot, async ({ organization, params }) => ({
    body: presentBot(await bots.get(organization, params.bot), organization, addresses),
  }));
  app.bindOrganization(updateBot, async ({ actor, organization, params, body }) => ({
    body: presentBot(
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

function bindTokens(app: RouteBinder, { botTokens, addresses }: BotRouteDeps): void {
  app.bindOrganization(listBotTokens, async ({ actor, organization, params, query }) => {
    const { tokens, total } = await botTokens.list(actor, { organization, name: params.bot }, query);
    return { body: tokens.map((token) => presentBotToken(token, addresses)), total };
  });
  app.bindOrganization(createBotToken, async ({ actor, organization, params, body }) => {
    const request = {
      name: body.name,
      scopes: body.scopes,
      expiresInDays: body.expires_in_days ?? null,
      repositories: body.repositories,
      addressRanges: body.address_ranges,
    };
    const created = await botTokens.create(actor, { organization, name: params.bot }, request);
    const shown = presentBotToken(created, addresses);
    return { body: { ...shown, token: created.token.token }, location: shown.url };
  });
  app.bindOrganization(getBotToken, async ({ actor, organization, params }) => {
    const token = await botTokens.get(actor, { organization, name: params.bot }, params.id);
    return { body: presentBotToken(token, addresses) };
  });
  app.bindOrganization(revokeBotToken, ({ actor, organization, params }) =>
    botTokens.revoke(actor, { organization, name: params.bot }, params.id),
  );
}
