/** Operations about own passkeys, and signing in with one. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { Session } from "../sessions/resource.ts";
import { PasswordConfirmation } from "../two-factor/resource.ts";
import {
  Passkey,
  PasskeyCreate,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeySignIn,
} from "./resource.ts";

const PasskeyParams = z.strictObject({ id: idOf("pky") });

export const listPasskeys = route({
  id: "listPasskeys",
  method: "get",
  path: "/user/passkeys",
  tag: "passkeys",
  summary: "Your passkeys, newest first",
  access: "user",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(Passkey),
  paginated: true,
  errors: [],
});

export const getPasskey = route({
  id: "getPasskey",
  method: "get",
  path: "/user/passkeys/:id",
  tag: "passkeys",
  summary: "One of your passkeys",
  access: "user",
  scope: "user:read",
  params: PasskeyParams,
  status: 200,
  response: Passkey,
  errors: [],
});

export const preparePasskey = route({
  id: "preparePasskey",
  method: "post",
  path: "/user/passkeys/challenges",
  tag: "passkeys",
  summary: "Get the options for creating a passkey",
  description: "Its challenge is valid for five minutes and one response.",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: PasswordConfirmation,
  status: 200,
  response: PasskeyCreationOptions,
  showsSecret: true,
  rateCategory: "auth",
  errors: [],
});

export const createPasskey = route({
  id: "createPasskey",
  method: "post",
  path: "/user/passkeys",
  tag: "passkeys",
  summary: "Register a passkey created by the browser",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: PasskeyCreate,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  response: Passkey,
  rateCategory: "auth",
  errors: ["conflict"],
});

export const deletePasskey = route({
  id: "deletePasskey",
  method: "delete",
  path: "/user/passkeys/:id",
  tag: "passkeys",
  summary: "Remove a passkey",
  access: "user",
  scope: "user:write",
  everyScope: true,
  params: PasskeyParams,
  status: 204,
  errors: [],
});

export const preparePasskeySignIn = route({
  id: "preparePasskeySignIn",
  method: "post",
  path: "/user/sessions/passkey-challenges",
  tag: "sessions",
  summary: "Get the options for signing in with a passkey",
  description: "No user name is needed: the browser offers its passkeys for this instance.",
  access: "public",
  status: 200,
  response: PasskeyRequestOptions,
  rateCategory: "auth",
  errors: ["forbidden"],
});

export const createPasskeySession = route({
  id: "createPasskeySession",
  method: "post",
  path: "/user/sessions/passkeys",
  tag: "sessions",
  summary: "Sign in with a passkey",
  description:
    "Like signing in with a password, but without a one-time code: a passkey that verified its user counts as two factors.",
  access: "public",
  body: PasskeySignIn,
  status: 201,
  response: Session,
  showsSecret: true,
  rateCategory: "auth",
  errors: ["forbidden"],
});
