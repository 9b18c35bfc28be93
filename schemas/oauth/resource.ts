/** OAuth 2.0 apps, and what people have agreed to. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { Scope } from "../core/scopes.ts";
import { timestamp } from "../core/time.ts";
import { redirectUri } from "./redirect-uri.ts";

const shared = {
  id: idOf("app"),
  client_id: z.string().describe("The same as `id`."),
  name: z.string(),
  owner: z.string().describe("The user or organization that registered it."),
  redirect_uris: z.array(z.string()),
  scopes: z.array(Scope).describe("The most that it may ask for."),
  confidential: z.boolean().describe("Whether it keeps a secret; without one it must use PKCE."),
  url: z.string(),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const OAuthApp = z.object(shared).meta({ id: "OAuthApp" });
export type OAuthApp = z.infer<typeof OAuthApp>;

export const OAuthAppWithSecret = z
  .object({
    ...shared,
    client_secret: z
      .string()
      .nullable()
      .describe("Shown now and never again; null for an app that keeps no secret."),
  })
  .meta({ id: "OAuthAppWithSecret" });

export const OAuthAppCreate = z
  .strictObject({
    name: displayText(100).min(1).describe("Shown to people who are asked for access."),
    redirect_uris: z
      .array(redirectUri)
      .min(1)
      .max(10)
      .describe("Compared exactly with what an authorization request names."),
    scopes: z.array(Scope).min(1).max(16).describe("The most that it may ask for."),
    confidential: z
      .boolean()
      .default(true)
      .describe("False for programs on people's machines and in browsers: these keep no secret."),
  })
  .meta({ id: "OAuthAppCreate" });
export type OAuthAppCreate = z.infer<typeof OAuthAppCreate>;

export const OAuthGrant = z
  .object({
    id: idOf("grt"),
    app: z.object({ id: idOf("app"), name: z.string(), owner: z.string() }),
    scopes: z.array(Scope).describe("All that you have allowed it so far."),
    last_used_at: timestamp.nullable().describe("Exact to about a minute; null when never used."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "OAuthGrant" });
export type OAuthGrant = z.infer<typeof OAuthGrant>;
