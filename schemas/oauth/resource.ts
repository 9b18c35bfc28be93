/** OAuth 2.0 apps, and what people have agreed to. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { Scope } from "../core/scopes.ts";
import { timestamp } from "../core/time.ts";
import { homepageUrl, redirectUri } from "./redirect-uri.ts";

const shared = {
  id: idOf("app"),
  client_id: z.string().describe("The same as `id`."),
  name: z.string(),
  owner: z.string().describe("The user or organization that registered it."),
  redirect_uris: z.array(z.string()),
  homepage_url: z.string().nullable().describe("Where people who are asked read about it."),
  scopes: z.array(Scope).describe("The maximum scopes it can request."),
  confidential: z.boolean().describe("Whether it has a secret; without one it must use PKCE."),
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
    client_secret: z.string().nullable().describe("Shown only once; null for an app without a secret."),
  })
  .meta({ id: "OAuthAppWithSecret" });

const editable = {
  name: displayText(100).min(1).describe("Shown to people who are asked for access."),
  redirect_uris: z
    .array(redirectUri)
    .min(1)
    .max(10)
    .describe("Compared exactly with what an authorization request names."),
  homepage_url: homepageUrl.nullable().describe("Shown to people who are asked for access; null for none."),
};

export const OAuthAppCreate = z
  .strictObject({
    ...editable,
    homepage_url: editable.homepage_url.default(null),
    scopes: z.array(Scope).min(1).max(16).describe("The maximum scopes it can request."),
    confidential: z
      .boolean()
      .default(true)
      .describe("False for programs on users' machines and in browsers, which cannot keep a secret."),
  })
  .meta({
    id: "OAuthAppCreate",
    examples: [
      {
        name: "Notebook",
        redirect_uris: ["https://notebook.example/callback"],
        scopes: ["repo:read"],
      },
    ],
  });
export type OAuthAppCreate = z.infer<typeof OAuthAppCreate>;

/** What it may ask for is not among them: people were told. */
export const OAuthAppUpdate = z
  .strictObject(editable)
  .partial()
  .meta({ id: "OAuthAppUpdate", examples: [{ name: "Notebook 2" }] });
export type OAuthAppUpdate = z.infer<typeof OAuthAppUpdate>;

export const OAuthGrant = z
  .object({
    id: idOf("grt"),
    app: z.object({ id: idOf("app"), name: z.string(), owner: z.string() }),
    scopes: z.array(Scope).describe("All scopes you have granted it so far."),
    last_used_at: timestamp.nullable().describe("Exact to about a minute; null when never used."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "OAuthGrant" });
export type OAuthGrant = z.infer<typeof OAuthGrant>;
