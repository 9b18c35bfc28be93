/** Personal access tokens. The value is shown once, in the answer that creates the token. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { Scope } from "../core/scopes.ts";
import { timestamp } from "../core/time.ts";

const shared = {
  id: idOf("tok"),
  name: z.string(),
  scopes: z.array(Scope),
  repositories: z
    .array(z.string())
    .nullable()
    .describe(
      "Full names of the repositories that the token is limited to, as far as you still see them; null: no such limit.",
    ),
  address_ranges: z
    .array(z.string())
    .nullable()
    .describe("Where the token may be used from; null: everywhere."),
  last_used_at: timestamp.nullable().describe("Exact to about a minute; null when never used."),
  expires_at: timestamp.nullable().describe("Null when the token never expires."),
  url: z.string(),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const AccessToken = z.object(shared).meta({ id: "AccessToken" });
export type AccessToken = z.infer<typeof AccessToken>;

export const CreatedAccessToken = z
  .object({ ...shared, token: z.string().describe("The secret value; it is never shown again.") })
  .meta({ id: "CreatedAccessToken" });
export type CreatedAccessToken = z.infer<typeof CreatedAccessToken>;

export const AccessTokenCreate = z
  .strictObject({
    name: displayText(100).min(1),
    scopes: z
      .array(Scope)
      .min(1)
      .max(16)
      .describe("A token can only create tokens with no more access than its own."),
    expires_in_days: z
      .number()
      .int()
      .min(1)
      .max(365)
      .nullable()
      .optional()
      .describe("1 day to 1 year; null or absent: never expires."),
    repositories: z
      .array(z.string().max(201))
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .describe("Full names (`owner/name`) that the token is limited to; null or absent: no such limit."),
    address_ranges: z
      .array(z.string().trim().max(64))
      .min(1)
      .max(50)
      .nullable()
      .optional()
      .describe("Addresses or CIDR ranges it can be used from; null or absent: anywhere."),
  })
  .meta({
    id: "AccessTokenCreate",
    examples: [{ name: "laptop", scopes: ["repo:read"], expires_in_days: 30 }],
  });
export type AccessTokenCreate = z.infer<typeof AccessTokenCreate>;
