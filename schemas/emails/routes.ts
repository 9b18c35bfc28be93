/** Operations about own addresses, and about what a mail proves. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import {
  Email,
  EmailCreate,
  EmailUpdate,
  EmailVerification,
  PasswordReset,
  PasswordResetRequest,
} from "./resource.ts";

const EmailParams = z.strictObject({ id: idOf("eml") });

export const listEmails = route({
  id: "listEmails",
  method: "get",
  path: "/user/emails",
  tag: "emails",
  summary: "Your e-mail addresses, oldest first",
  access: "user",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(Email),
  paginated: true,
  errors: [],
});

export const createEmail = route({
  id: "createEmail",
  method: "post",
  path: "/user/emails",
  tag: "emails",
  summary: "Add an e-mail address",
  description:
    "A mail is sent to it; the address is verified once the token from the mail is submitted. The response is the same whether or not the address belongs to an account. At most ten addresses.",
  access: "user",
  scope: "user:write",
  everyScope: true,
  body: EmailCreate,
  status: 201,
  response: Email,
  errors: [],
});

export const updateEmail = route({
  id: "updateEmail",
  method: "patch",
  path: "/user/emails/:id",
  tag: "emails",
  summary: "Make an address the primary one",
  access: "user",
  scope: "user:write",
  everyScope: true,
  params: EmailParams,
  body: EmailUpdate,
  status: 200,
  response: Email,
  errors: ["conflict"],
});

export const deleteEmail = route({
  id: "deleteEmail",
  method: "delete",
  path: "/user/emails/:id",
  tag: "emails",
  summary: "Remove an e-mail address",
  description: "The primary address cannot be removed; make another one primary first.",
  access: "user",
  scope: "user:write",
  everyScope: true,
  params: EmailParams,
  status: 204,
  errors: ["conflict"],
});

export const requestEmailVerification = route({
  id: "requestEmailVerification",
  method: "post",
  path: "/user/emails/:id/verification",
  tag: "emails",
  summary: "Send the verification mail again",
  description: "At most one mail per minute and five per hour are sent to an address.",
  access: "user",
  scope: "user:write",
  params: EmailParams,
  status: 202,
  rateCategory: "auth",
  errors: ["conflict"],
});

export const verifyEmail = route({
  id: "verifyEmail",
  method: "post",
  path: "/email-verifications",
  tag: "emails",
  summary: "Verify an e-mail address",
  access: "public",
  body: EmailVerification,
  status: 204,
  rateCategory: "auth",
  errors: ["forbidden", "conflict"],
});

export const requestPasswordReset = route({
  id: "requestPasswordReset",
  method: "post",
  path: "/password-resets",
  tag: "emails",
  summary: "Request a mail to reset the password",
  description: "The response is always the same. A mail is sent if the address is a user's verified address.",
  access: "public",
  body: PasswordResetRequest,
  status: 202,
  rateCategory: "auth",
  errors: ["forbidden"],
});

export const resetPassword = route({
  id: "resetPassword",
  method: "post",
  path: "/password-resets/completions",
  tag: "emails",
  summary: "Set a new password with the token from the mail",
  description:
    "Ends every session of the user. A second factor stays enabled and is required at the next sign-in.",
  access: "public",
  body: PasswordReset,
  status: 204,
  rateCategory: "auth",
  errors: ["forbidden"],
});
