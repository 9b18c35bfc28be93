/** Operations about the own second factor. */
import { z } from "zod";
import { route } from "../core/route.ts";
import {
  PasswordConfirmation,
  RecoveryCodes,
  TwoFactor,
  TwoFactorConfirmation,
  TwoFactorSecret,
} from "./resource.ts";

export const getTwoFactor = route({
  id: "getTwoFactor",
  method: "get",
  path: "/user/two-factor",
  tag: "two-factor",
  summary: "Whether a second factor is enabled",
  access: "user",
  scope: "user:read",
  status: 200,
  response: TwoFactor,
  errors: [],
});

export const prepareTwoFactor = route({
  id: "prepareTwoFactor",
  method: "post",
  path: "/user/two-factor",
  tag: "two-factor",
  summary: "Get a secret for the app",
  description:
    "The second factor is not enabled until a first code is submitted. Another call replaces the secret.",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: PasswordConfirmation,
  status: 201,
  response: TwoFactorSecret,
  showsSecret: true,
  rateCategory: "auth",
  errors: ["conflict"],
});

export const enableTwoFactor = route({
  id: "enableTwoFactor",
  method: "put",
  path: "/user/two-factor",
  tag: "two-factor",
  summary: "Turn the second factor on with a first code",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: TwoFactorConfirmation,
  status: 200,
  response: RecoveryCodes,
  showsSecret: true,
  rateCategory: "auth",
  errors: ["conflict"],
});

export const renewRecoveryCodes = route({
  id: "renewRecoveryCodes",
  method: "put",
  path: "/user/two-factor/recovery-codes",
  tag: "two-factor",
  summary: "Replace the recovery codes",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: PasswordConfirmation,
  status: 200,
  response: RecoveryCodes,
  showsSecret: true,
  rateCategory: "auth",
  errors: ["conflict"],
});

export const disableTwoFactor = route({
  id: "disableTwoFactor",
  method: "delete",
  path: "/user/two-factor",
  tag: "two-factor",
  summary: "Turn the second factor off",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: PasswordConfirmation,
  status: 204,
  rateCategory: "auth",
  errors: ["conflict"],
});

export const removeUserTwoFactor = route({
  id: "removeUserTwoFactor",
  method: "delete",
  path: "/admin/users/:username/two-factor",
  tag: "administration",
  summary: "Turn off the second factor of a user who lost it",
  description: "The user is notified by mail.",
  access: "instance_admin",
  scope: "org:admin",
  params: z.strictObject({ username: z.string().max(201) }),
  status: 204,
  errors: ["conflict"],
});
