/** Operations about the instance itself. */
import { z } from "zod";
import { ShownAnnouncement } from "../administration/resource.ts";
import { route } from "../core/route.ts";

const SshHostKey = z
  .object({
    kind: z.string().describe("`ssh-ed25519` or `ssh-rsa`."),
    key: z.string().describe("As in `known_hosts`, after the host's name."),
    fingerprint: z.string().describe("As `ssh` shows it: `SHA256:…`."),
  })
  .meta({ id: "SshHostKey" });

export const InstanceMeta = z
  .object({
    name: z.literal("forgeline"),
    version: z.string(),
    api_version: z.literal("v1"),
    base_url: z.string(),
    graphql_url: z.string(),
    auth_url: z.string(),
    docs_url: z.string(),
    web_url: z.string(),
    git_https_url: z.string(),
    git_ssh_url: z.string().nullable().describe("`ssh://git@HOST:PORT`; null where SSH is not served."),
    ssh_host_keys: z
      .array(SshHostKey)
      .describe("Host keys that identify this instance to SSH clients; strongest first."),
    runner_url: z.string(),
    sign_up_open: z.boolean().describe("Whether the caller can create an account (`POST /users`)."),
    announcements: z.array(ShownAnnouncement).describe("Current announcements from administrators."),
    runner_protocol: z.number().int().describe("Version of the runner protocol that this server speaks."),
  })
  .meta({ id: "InstanceMeta" });
export type InstanceMeta = z.infer<typeof InstanceMeta>;

export const getMeta = route({
  id: "getMeta",
  method: "get",
  path: "/meta",
  tag: "instance",
  summary: "What this instance is and where its parts are",
  access: "public",
  rateCategory: "public",
  status: 200,
  response: InstanceMeta,
  errors: [],
});

export const InstanceSettings = z
  .object({
    sign_up: z
      .enum(["open", "closed"])
      .nullable()
      .describe(
        "Null: open on an instance that is reached as `localhost`, for requests from the machine itself.",
      ),
  })
  .meta({ id: "InstanceSettings" });
export type InstanceSettings = z.infer<typeof InstanceSettings>;

export const InstanceSettingsUpdate = z
  .strictObject({ sign_up: z.enum(["open", "closed"]).nullable().optional() })
  .meta({ id: "InstanceSettingsUpdate", examples: [{ sign_up: "open" }] });

export const getInstanceSettings = route({
  id: "getInstanceSettings",
  method: "get",
  path: "/admin/settings",
  tag: "administration",
  summary: "Settings that administrators change while the server runs",
  access: "instance_admin",
  scope: "org:admin",
  status: 200,
  response: InstanceSettings,
  errors: [],
});

export const updateInstanceSettings = route({
  id: "updateInstanceSettings",
  method: "patch",
  path: "/admin/settings",
  tag: "administration",
  summary: "Change settings of the instance",
  description: "Settings made by environment variables cannot be changed here (409).",
  access: "instance_admin",
  scope: "org:admin",
  body: InstanceSettingsUpdate,
  status: 200,
  response: InstanceSettings,
  errors: ["conflict"],
});
