/** Operations on the own personal access tokens. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { AccessToken, AccessTokenCreate, CreatedAccessToken } from "./resource.ts";

export const listTokens = route({
  id: "listTokens",
  method: "get",
  path: "/user/tokens",
  tag: "tokens",
  summary: "Your personal access tokens that are not revoked, newest first",
  access: "user",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(AccessToken),
  paginated: true,
  errors: [],
});

export const getToken = route({
  id: "getToken",
  method: "get",
  path: "/user/tokens/:id",
  tag: "tokens",
  summary: "One of your personal access tokens, without its value",
  access: "user",
  scope: "user:read",
  params: z.strictObject({ id: idOf("tok") }),
  status: 200,
  response: AccessToken,
  errors: [],
});

export const createToken = route({
  id: "createToken",
  method: "post",
  path: "/user/tokens",
  tag: "tokens",
  summary: "Create a personal access token",
  description:
    "The value of the token is only in this answer. Where a token makes the request, the new one is a subset of it: in its scopes, repositories and addresses, and it does not live longer.",
  access: "user",
  scope: "user:write",
  limitedTokens: "allowed",
  body: AccessTokenCreate,
  status: 201,
  response: CreatedAccessToken,
  showsSecret: true,
  errors: [],
});

export const revokeToken = route({
  id: "revokeToken",
  method: "delete",
  path: "/user/tokens/:id",
  tag: "tokens",
  summary: "Revoke a personal access token",
  description: "Takes effect immediately; requests in progress complete normally.",
  access: "user",
  scope: "user:write",
  params: z.strictObject({ id: idOf("tok") }),
  status: 204,
  errors: [],
});
