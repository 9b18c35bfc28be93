/** Operations on an organization's bots and their tokens, for its owners. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { AccessToken, AccessTokenCreate, CreatedAccessToken } from "../tokens/resource.ts";
import { Bot, BotCreate, BotUpdate } from "./resource.ts";

const ofOwners = { access: "org_owner", scope: "org:admin", tag: "bots" } as const;
const BotParams = z.strictObject({ ...OrganizationParams.shape, bot: z.string() });
const BotTokenParams = z.strictObject({ ...BotParams.shape, id: idOf("tok") });

export const listBots = route({
  ...ofOwners,
  id: "listBots",
  method: "get",
  path: "/orgs/:org/bots",
  summary: "Bots of an organization, by name",
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: z.array(Bot),
  paginated: true,
  errors: [],
});

export const createBot = route({
  ...ofOwners,
  id: "createBot",
  method: "post",
  path: "/orgs/:org/bots",
  summary: "Create a bot",
  description:
    "It does not take a seat, and gets access to repositories through teams. Create a token for it to act with.",
  params: OrganizationParams,
  body: BotCreate,
  status: 201,
  response: Bot,
  errors: ["conflict"],
});

export const getBot = route({
  ...ofOwners,
  id: "getBot",
  method: "get",
  path: "/orgs/:org/bots/:bot",
  summary: "One bot",
  params: BotParams,
  status: 200,
  response: Bot,
  errors: [],
});

export const updateBot = route({
  ...ofOwners,
  id: "updateBot",
  method: "patch",
  path: "/orgs/:org/bots/:bot",
  summary: "Change a bot",
  params: BotParams,
  body: BotUpdate,
  status: 200,
  response: Bot,
  errors: [],
});

export const deleteBot = route({
  ...ofOwners,
  id: "deleteBot",
  method: "delete",
  path: "/orgs/:org/bots/:bot",
  summary: "Delete a bot",
  description:
    "Its tokens are revoked immediately, and it leaves its teams. Its past activity stays under its name.",
  params: BotParams,
  status: 204,
  errors: [],
});

export const listBotTokens = route({
  ...ofOwners,
  id: "listBotTokens",
  method: "get",
  path: "/orgs/:org/bots/:bot/tokens",
  summary: "Tokens of a bot that are not revoked, newest first",
  params: BotParams,
  query: PageQuery,
  status: 200,
  response: z.array(AccessToken),
  paginated: true,
  errors: [],
});

export const createBotToken = route({
  ...ofOwners,
  id: "createBotToken",
  method: "post",
  path: "/orgs/:org/bots/:bot/tokens",
  summary: "Create a token of a bot",
  description:
    "The value is only returned here. The token can have at most the scopes of the bot and of the token that creates it.",
  params: BotParams,
  body: AccessTokenCreate,
  status: 201,
  response: CreatedAccessToken,
  showsSecret: true,
  errors: [],
});

export const getBotToken = route({
  ...ofOwners,
  id: "getBotToken",
  method: "get",
  path: "/orgs/:org/bots/:bot/tokens/:id",
  summary: "One token of a bot",
  params: BotTokenParams,
  status: 200,
  response: AccessToken,
  errors: [],
});

export const revokeBotToken = route({
  ...ofOwners,
  id: "revokeBotToken",
  method: "delete",
  path: "/orgs/:org/bots/:bot/tokens/:id",
  summary: "Revoke a token of a bot",
  description: "Takes effect immediately; requests in progress complete normally.",
  params: BotTokenParams,
  status: 204,
  errors: [],
});
