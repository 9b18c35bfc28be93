/** Operations about OAuth 2.0 apps of users and organizations, and about what one has allowed to whom. */
import { z } from "zod";
import { idOf, ownerName } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OAuthDecision, OAuthDecisionMake, OAuthRequest, OAuthRequestRead } from "./request-resource.ts";
import { OAuthApp, OAuthAppCreate, OAuthAppUpdate, OAuthAppWithSecret, OAuthGrant } from "./resource.ts";

const AppParams = z.strictObject({ id: idOf("app") });
const OrgParams = z.strictObject({ org: ownerName });
const OrgAppParams = z.strictObject({ org: ownerName, id: idOf("app") });
const GrantParams = z.strictObject({ id: idOf("grt") });
const editing =
  "Omitted fields stay unchanged. An address removed from `redirect_uris` is refused immediately, also for codes already sent to it.";
const once = "The secret is only returned here.";

export const listOAuthApps = route({
  id: "listOAuthApps",
  method: "get",
  path: "/user/oauth-apps",
  tag: "oauth",
  summary: "Your OAuth apps, newest first",
  access: "user",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(OAuthApp),
  paginated: true,
  errors: [],
});

export const createOAuthApp = route({
  id: "createOAuthApp",
  method: "post",
  path: "/user/oauth-apps",
  tag: "oauth",
  summary: "Register an OAuth app",
  description: once,
  access: "user",
  scope: "user:write",
  body: OAuthAppCreate,
  status: 201,
  response: OAuthAppWithSecret,
  showsSecret: true,
  errors: ["conflict"],
});

export const getOAuthApp = route({
  id: "getOAuthApp",
  method: "get",
  path: "/user/oauth-apps/:id",
  tag: "oauth",
  summary: "One of your OAuth apps",
  access: "user",
  scope: "user:read",
  params: AppParams,
  status: 200,
  response: OAuthApp,
  errors: [],
});

export const updateOAuthApp = route({
  id: "updateOAuthApp",
  method: "patch",
  path: "/user/oauth-apps/:id",
  tag: "oauth",
  summary: "Change one of your OAuth apps",
  description: editing,
  access: "user",
  scope: "user:write",
  params: AppParams,
  body: OAuthAppUpdate,
  status: 200,
  response: OAuthApp,
  errors: [],
});

export const rotateOAuthAppSecret = route({
  id: "rotateOAuthAppSecret",
  method: "post",
  path: "/user/oauth-apps/:id/secret",
  tag: "oauth",
  summary: "New secret for one of your OAuth apps",
  description: `${once} The old one is refused immediately; tokens stay valid. Returns 409 for an app without a secret.`,
  access: "user",
  scope: "user:write",
  params: AppParams,
  status: 200,
  response: OAuthAppWithSecret,
  showsSecret: true,
  errors: ["conflict"],
});

export const deleteOAuthApp = route({
  id: "deleteOAuthApp",
  method: "delete",
  path: "/user/oauth-apps/:id",
  tag: "oauth",
  summary: "Delete one of your OAuth apps",
  description: "Immediately revokes all access that users have granted it.",
  access: "user",
  scope: "user:write",
  params: AppParams,
  status: 204,
  errors: [],
});

export const listOrgOAuthApps = route({
  id: "listOrgOAuthApps",
  method: "get",
  path: "/orgs/:org/oauth-apps",
  tag: "oauth",
  summary: "OAuth apps of an organization, newest first",
  access: "org_owner",
  scope: "org:admin",
  params: OrgParams,
  query: PageQuery,
  status: 200,
  response: z.array(OAuthApp),
  paginated: true,
  errors: [],
});

export const createOrgOAuthApp = route({
  id: "createOrgOAuthApp",
  method: "post",
  path: "/orgs/:org/oauth-apps",
  tag: "oauth",
  summary: "Register an OAuth app of an organization",
  description: once,
  access: "org_owner",
  scope: "org:admin",
  params: OrgParams,
  body: OAuthAppCreate,
  status: 201,
  response: OAuthAppWithSecret,
  showsSecret: true,
  errors: ["conflict"],
});

export const getOrgOAuthApp = route({
  id: "getOrgOAuthApp",
  method: "get",
  path: "/orgs/:org/oauth-apps/:id",
  tag: "oauth",
  summary: "An OAuth app of an organization",
  access: "org_owner",
  scope: "org:admin",
  params: OrgAppParams,
  status: 200,
  response: OAuthApp,
  errors: [],
});

export const updateOrgOAuthApp = route({
  id: "updateOrgOAuthApp",
  method: "patch",
  path: "/orgs/:org/oauth-apps/:id",
  tag: "oauth",
  summary: "Change an OAuth app of an organization",
  description: editing,
  access: "org_owner",
  scope: "org:admin",
  params: OrgAppParams,
  body: OAuthAppUpdate,
  status: 200,
  response: OAuthApp,
  errors: [],
});

export const rotateOrgOAuthAppSecret = route({
  id: "rotateOrgOAuthAppSecret",
  method: "post",
  path: "/orgs/:org/oauth-apps/:id/secret",
  tag: "oauth",
  summary: "New secret for an OAuth app of an organization",
  description: `${once} The old one is refused immediately; tokens stay valid. Returns 409 for an app without a secret.`,
  access: "org_owner",
  scope: "org:admin",
  params: OrgAppParams,
  status: 200,
  response: OAuthAppWithSecret,
  showsSecret: true,
  errors: ["conflict"],
});

export const deleteOrgOAuthApp = route({
  id: "deleteOrgOAuthApp",
  method: "delete",
  path: "/orgs/:org/oauth-apps/:id",
  tag: "oauth",
  summary: "Delete an OAuth app of an organization",
  description: "Immediately revokes all access that users have granted it.",
  access: "org_owner",
  scope: "org:admin",
  params: OrgAppParams,
  status: 204,
  errors: [],
});

export const listGrants = route({
  id: "listGrants",
  method: "get",
  path: "/user/grants",
  tag: "oauth",
  summary: "Apps that you have allowed to act for you, newest first",
  access: "user",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(OAuthGrant),
  paginated: true,
  errors: [],
});

export const getGrant = route({
  id: "getGrant",
  method: "get",
  path: "/user/grants/:id",
  tag: "oauth",
  summary: "The access you have granted one app",
  access: "user",
  scope: "user:read",
  params: GrantParams,
  status: 200,
  response: OAuthGrant,
  errors: [],
});

export const withdrawGrant = route({
  id: "withdrawGrant",
  method: "delete",
  path: "/user/grants/:id",
  tag: "oauth",
  summary: "Revoke an app's access to your account",
  description: "Its tokens for your account are revoked immediately; requests in progress complete normally.",
  access: "user",
  scope: "user:write",
  params: GrantParams,
  status: 204,
  errors: [],
});

export const readOAuthRequest = route({
  id: "readOAuthRequest",
  method: "post",
  path: "/user/oauth-requests",
  tag: "oauth",
  summary: "Details of an app's authorization request",
  description:
    "For the consent page. Problems with the request are reported for the field `request`; nothing is changed.",
  access: "user",
  scope: "user:read",
  body: OAuthRequestRead,
  status: 200,
  response: OAuthRequest,
  errors: [],
});

export const decideOAuthRequest = route({
  id: "decideOAuthRequest",
  method: "post",
  path: "/user/oauth-requests/decisions",
  tag: "oauth",
  summary: "Allow or deny an app's authorization request",
  description: "The request is validated again. Send the browser to `location` in either case.",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: OAuthDecisionMake,
  status: 200,
  response: OAuthDecision,
  showsSecret: true,
  errors: [],
});
