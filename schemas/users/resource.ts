/** People and bots as the REST interface shows them. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf, ownerName } from "../core/ids.ts";
import { Plan } from "../core/plans.ts";
import { timestamp } from "../core/time.ts";

const shared = {
  id: idOf("usr"),
  username: z.string(),
  name: z.string().describe("Display name; empty when none is set."),
  avatar_url: z.string(),
  type: z.enum(["user", "bot"]),
  url: z.string().describe("Address of this record in the API."),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const User = z
  .object({
    ...shared,
    email: z.string().nullable().describe("Null unless the user shows it to everyone."),
  })
  .meta({ id: "User" });
export type User = z.infer<typeof User>;

/** What a user sees of the own account. */
export const OwnUser = z
  .object({
    ...shared,
    email: z.string(),
    email_public: z.boolean().describe("Whether everyone sees the address."),
    plan: Plan,
    two_factor_enabled: z.boolean(),
    admin: z.boolean().describe("Whether the user is an administrator of the instance."),
  })
  .meta({ id: "OwnUser" });
export type OwnUser = z.infer<typeof OwnUser>;

/** Before the `@` at most 64 characters, as mail servers take them (RFC 5321 4.5.3.1.1). */
export const emailAddress = z
  .email()
  .max(254)
  .regex(/^[^@]{1,64}@/, "At most 64 characters before the @.");

/** How a password must look before its rules are asked; said once, for every operation that sets one. */
export const newPassword = z
  .string()
  .min(10)
  .max(1000)
  .describe(
    "10 to 1000 characters, at least 5 of them different; neither the user name nor a common password.",
  );
export const givenPassword = z.string().min(1).max(1000);

export const SignUp = z
  .strictObject({
    username: ownerName,
    password: newPassword,
    email: emailAddress,
    name: displayText(100).optional(),
  })
  .meta({
    id: "SignUp",
    examples: [
      {
        username: "mary",
        password: "correct horse battery staple",
        email: "mary@example.org",
        name: "Mary Somerville",
      },
    ],
  });
export type SignUp = z.infer<typeof SignUp>;

export const UserUpdate = z
  .strictObject({
    name: displayText(100).optional(),
    email_public: z.boolean().optional().describe("Show the e-mail address to everyone."),
  })
  .meta({ id: "UserUpdate", examples: [{ name: "Ada Lovelace", email_public: true }] });
export type UserUpdate = z.infer<typeof UserUpdate>;

export const PasswordChange = z
  .strictObject({ current_password: givenPassword, password: newPassword })
  .meta({
    id: "PasswordChange",
    examples: [{ current_password: "correct horse battery", password: "correct horse battery staple" }],
  });
