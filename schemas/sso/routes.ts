/** Operations on single sign-on. Signing in itself is for browsers, at `/login/sso/{org}`. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { OwnSsoIdentity, SsoConfiguration, SsoConfigurationSet, SsoIdentity } from "./resource.ts";

const OrganizationIdentityParams = z.strictObject({ ...OrganizationParams.shape, id: idOf("idn") });
const OwnIdentityParams = z.strictObject({ id: idOf("idn") });

export const getSso = route({
  id: "getSso",
  method: "get",
  path: "/orgs/:org/sso",
  tag: "sso",
  summary: "Single sign-on of an organization",
  description: "404 where none is set. The client secret is never shown.",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  status: 200,
  response: SsoConfiguration,
  errors: [],
});

export const setSso = route({
  id: "setSso",
  method: "put",
  path: "/orgs/:org/sso",
  tag: "sso",
  summary: "Set single sign-on of an organization",
  description:
    "Any OpenID Connect provider. Its configuration and keys are read immediately, and problems with them are reported for `issuer`. Changing the issuer removes all identities of the previous one and ends the sessions it opened.",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  body: SsoConfigurationSet,
  status: 200,
  response: SsoConfiguration,
  errors: [],
});

export const deleteSso = route({
  id: "deleteSso",
  method: "delete",
  path: "/orgs/:org/sso",
  tag: "sso",
  summary: "Remove single sign-on of an organization",
  description:
    "Also removes all identities and the sessions opened through it. Accounts and memberships stay.",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  status: 204,
  errors: [],
});

export const listSsoIdentities = route({
  id: "listSsoIdentities",
  method: "get",
  path: "/orgs/:org/sso/identities",
  tag: "sso",
  summary: "Members that the organization's provider can sign in, newest first",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: z.array(SsoIdentity),
  paginated: true,
  errors: [],
});

export const deleteSsoIdentity = route({
  id: "deleteSsoIdentity",
  method: "delete",
  path: "/orgs/:org/sso/identities/:id",
  tag: "sso",
  summary: "Unlink a member from the organization's provider",
  description: "Ends the sessions it opened for them. They stay a member and can link their account again.",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationIdentityParams,
  status: 204,
  errors: [],
});

export const listOwnSsoIdentities = route({
  id: "listOwnSsoIdentities",
  method: "get",
  path: "/user/sso-identities",
  tag: "sso",
  summary: "Providers of organizations that can sign in the caller, newest first",
  access: "user",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(OwnSsoIdentity),
  paginated: true,
  errors: [],
});

export const deleteOwnSsoIdentity = route({
  id: "deleteOwnSsoIdentity",
  method: "delete",
  path: "/user/sso-identities/:id",
  tag: "sso",
  summary: "Unlink your account from a provider",
  description:
    "It can sign in the account no more, and the sessions that it opened end, also the one that asks. 409 where the account would be left without any way to sign in: set a password first.",
  access: "user",
  scope: "user:write",
  params: OwnIdentityParams,
  status: 204,
  errors: ["conflict"],
});
