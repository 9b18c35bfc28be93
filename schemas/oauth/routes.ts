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
  "What is not named stays. An address that is no longer among `redirect_uris` is refused at once, also for codes that were sent there.";
const once = "The secret is only in this answer.";

export const listOAuthApps = route({
  id: "listOAuthApps",
  method: "get",
  path: "/user/oauth-apps",
  tag: "oauth",
  summary: "Own OAuth apps, newest first",
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
  summary: "One of the own OAuth apps",
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
  summary: "Change one of the own OAuth apps",
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
  summary: "New secret for one of the own OAuth apps",
  description: `${once} The old one is refused from now on; tokens stay. 409 for an app that keeps no secret.`,
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
  summary: "Delete one of the own OAuth apps",
  description: "Ends at once whatever people have allowed it.",
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
  description: `${once} The old one is refused from now on; tokens stay. 409 for an app that keeps no secret.`,
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
  description: "Ends at once whatever people have allowed it.",
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
  summary: "What you have allowed one app",
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
  summary: "Withdraw what you have allowed an app",
  description: "Its tokens for you end at once; requests that are already being answered end normally.",
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
  summary: "Who asks for what, in the request of an app",
  description:
    "For the page that asks. What is wrong with the request is said of the field `request`; nothing is changed either way.",
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
  summary: "Allow or deny what an app asks for",
  description: "The request is judged anew. Send the browser to `location`, whatever was decided.",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: OAuthDecisionMake,
  status: 200,
  response: OAuthDecision,
  showsSecret: true,
  errors: [],
});
