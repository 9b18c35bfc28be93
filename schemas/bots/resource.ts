/** Bots: machine identities of one organization (`spec.md` 2.6). */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf, ownerName } from "../core/ids.ts";
import { Scope } from "../core/scopes.ts";
import { timestamp } from "../core/time.ts";

const botScopes = z.array(Scope).min(1).max(16);

export const Bot = z
  .object({
    id: idOf("usr"),
    username: z.string().describe("`<org>/<bot>`."),
    name: z.string().describe("What `{bot}` is in addresses."),
    display_name: z.string(),
    type: z.literal("bot"),
    scopes: z.array(Scope).describe("The maximum scopes of its tokens."),
    suspended: z.boolean().describe("By an administrator of the instance; its tokens are refused."),
    avatar_url: z.string(),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Bot" });
export type Bot = z.infer<typeof Bot>;

export const BotCreate = z
  .strictObject({
    name: ownerName,
    display_name: displayText(100).default(""),
    scopes: botScopes.describe("At most those of the caller's token."),
  })
  .meta({
    id: "BotCreate",
    examples: [{ name: "publisher", display_name: "Publisher", scopes: ["repo:read", "package:write"] }],
  });
export type BotCreate = z.infer<typeof BotCreate>;

export const BotUpdate = z
  .strictObject({
    display_name: displayText(100).optional(),
    scopes: botScopes.optional().describe("Tokens with more scopes lose them immediately."),
  })
  .meta({ id: "BotUpdate", examples: [{ display_name: "Deployer", scopes: ["repo:read"] }] });
export type BotUpdate = z.infer<typeof BotUpdate>;
