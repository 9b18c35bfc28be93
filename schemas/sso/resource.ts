/** Single sign-on of an organization by OpenID Connect: what its owners set, and as whom the provider knows its members. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { User } from "../users/resource.ts";

const configured = {
  issuer: z
    .string()
    .max(500)
    .regex(
      /^https:\/\/([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(\/[\x21\x22\x24-\x3e\x40-\x5b\x5d-\x7e]*)?$/,
      "must be https://HOST[/PATH], without query and fragment",
    )
    .describe(
      "Exactly as the provider writes it. `/.well-known/openid-configuration` below it is read when this is set.",
    ),
  client_id: z
    .string()
    .min(1)
    .max(500)
    .regex(/^[\x21-\x7e]+$/)
    .describe("Of this instance at the provider."),
  email_domains: z
    .array(
      z
        .string()
        .max(253)
        .regex(
          /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
          "must be a domain in lower case",
        ),
    )
    .max(50)
    .describe(
      "Where any is named, only who has an address of one of these domains, which the provider says is verified, may sign in. Subdomains are named by themselves.",
    ),
  provision: z
    .boolean()
    .describe(
      "Whether whom the provider knows becomes a member: with a new account, or with the own one. Where sign-up is closed, only an administrator of the instance may set this.",
    ),
  enabled: z.boolean().describe("Whether anybody can sign in this way. Open sessions stay open."),
};

export const SsoConfiguration = z
  .object({
    id: idOf("sso"),
    ...configured,
    sign_in_url: z.string().describe("Where members start."),
    callback_url: z.string().describe("Register this at the provider as the redirect address."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "SsoConfiguration" });
export type SsoConfiguration = z.infer<typeof SsoConfiguration>;

export const SsoConfigurationSet = z
  .strictObject({
    issuer: configured.issuer,
    client_id: configured.client_id,
    client_secret: z
      .string()
      .min(1)
      .max(1000)
      .regex(/^[\x20-\x7e]+$/)
      .optional()
      .describe(
        "Never shown again. Required when the issuer or client changes; otherwise the stored one is kept.",
      ),
    email_domains: configured.email_domains.default([]),
    provision: configured.provision.default(false),
    enabled: configured.enabled.default(true),
  })
  .meta({ id: "SsoConfigurationSet" });
export type SsoConfigurationSet = z.infer<typeof SsoConfigurationSet>;

const identity = {
  id: idOf("idn"),
  issuer: z.string(),
  subject: z.string().describe("The provider's opaque identifier of the user."),
  last_used_at: timestamp.nullable(),
  url: z.string(),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const SsoIdentity = z.object({ ...identity, user: User }).meta({ id: "SsoIdentity" });
export type SsoIdentity = z.infer<typeof SsoIdentity>;

export const OwnSsoIdentity = z
  .object({
    ...identity,
    organization: z.string().describe("Name of the organization whose provider it is."),
  })
  .meta({ id: "OwnSsoIdentity" });
export type OwnSsoIdentity = z.infer<typeof OwnSsoIdentity>;
