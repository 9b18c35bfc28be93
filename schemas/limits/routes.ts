/** Operations on rate limits: what is left, and limits of single users and organizations. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { AccountLimits, CustomLimits, RateLimitOverview } from "./resource.ts";

export const getRateLimit = route({
  id: "getRateLimit",
  method: "get",
  path: "/rate_limit",
  tag: "instance",
  summary: "Remaining requests of each rate limit",
  description:
    "Of the authenticated user, otherwise of the client's address. Not counted itself. Resources without a limit are not listed.",
  access: "public",
  rateCategory: "free",
  status: 200,
  response: RateLimitOverview,
  errors: [],
});

const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;
const ofUser = z.strictObject({ username: ownerName });
const ofOrganization = z.strictObject({ org: ownerName });
const effect =
  "Replaces all earlier ones; what is not named follows the instance again. Takes effect within a second or, for a lower limit, within a hundredth of the old one. A limit that the instance has switched off stays off.";

export const getOwnOrganizationLimits = route({
  id: "getOwnOrganizationLimits",
  method: "get",
  path: "/orgs/:org/limits",
  tag: "organizations",
  summary: "Rate limits that an organization gives, as its owners see them",
  description:
    "Of each member, of each of its bots, and of the jobs of each of its repositories; they do not share it.",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  status: 200,
  response: AccountLimits,
  errors: [],
});

export const getUserLimits = route({
  ...administration,
  id: "getUserLimits",
  method: "get",
  path: "/admin/users/:username/limits",
  summary: "Rate limits of a user",
  description: "What organizations give their members besides is not in it; `GET /rate_limit` has both.",
  params: ofUser,
  status: 200,
  response: AccountLimits,
  errors: [],
});

export const setUserLimits = route({
  ...administration,
  id: "setUserLimits",
  method: "put",
  path: "/admin/users/:username/limits",
  summary: "Set the rate limits of a user that differ from the instance's",
  description: effect,
  params: ofUser,
  body: CustomLimits,
  status: 200,
  response: AccountLimits,
  errors: [],
});

export const getOrganizationLimits = route({
  ...administration,
  id: "getOrganizationLimits",
  method: "get",
  path: "/admin/organizations/:org/limits",
  summary: "Rate limits that an organization gives",
  params: ofOrganization,
  status: 200,
  response: AccountLimits,
  errors: [],
});

export const setOrganizationLimits = route({
  ...administration,
  id: "setOrganizationLimits",
  method: "put",
  path: "/admin/organizations/:org/limits",
  summary: "Set the rate limits that an organization gives",
  description: `Of each member, of each of its bots, and of the jobs of each of its repositories; they do not share it. Who has several limits, of their own or of organizations, has the highest. ${effect} Only organizations of the plan \`enterprise\` have custom limits: others get \`conflict\`, and with another plan they rest.`,
  params: ofOrganization,
  body: CustomLimits,
  status: 200,
  response: AccountLimits,
  errors: ["conflict"],
});
