/** Operations on rate limits: what is left, and limits of single users. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { AccountLimits, CustomLimits, RateLimitOverview } from "./resource.ts";

export const getRateLimit = route({
  id: "getRateLimit",
  method: "get",
  path: "/rate_limit",
  tag: "instance",
  summary: "What is left of each rate limit",
  description:
    "Of the authenticated user, else of the address that asks. Costs nothing. A resource without limit is not listed.",
  access: "public",
  rateCategory: "free",
  status: 200,
  response: RateLimitOverview,
  errors: [],
});

const params = z.strictObject({ username: ownerName });

export const getUserLimits = route({
  id: "getUserLimits",
  method: "get",
  path: "/admin/users/:username/limits",
  tag: "administration",
  summary: "Rate limits of a user",
  access: "instance_admin",
  params,
  status: 200,
  response: AccountLimits,
  errors: [],
});

export const setUserLimits = route({
  id: "setUserLimits",
  method: "put",
  path: "/admin/users/:username/limits",
  tag: "administration",
  summary: "Set the rate limits of a user that differ from the instance's",
  description:
    "Replaces all earlier ones; what is not named follows the instance again. Takes effect within a second or, for a lower limit, within a hundredth of the old one. A limit that the instance has switched off stays off.",
  access: "instance_admin",
  params,
  body: CustomLimits,
  status: 200,
  response: AccountLimits,
  errors: [],
});
