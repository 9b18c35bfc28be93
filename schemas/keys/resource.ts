/** The keys by which the instance encrypts and signs, as administrators see them. The keys themselves are never shown. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const encryptedKinds = [
  "two_factor",
  "single_sign_on",
  "mails",
  "webhooks",
  "mirrors",
  "push_mirrors",
  "imports",
  "audit_streams",
  "secrets",
  "id_token_keys",
  "job_signing_keys",
] as const;
export type EncryptedKind = (typeof encryptedKinds)[number];

const count = z.number().int();
const counts = z.object({
  two_factor: count.describe("Second factors of accounts."),
  single_sign_on: count.describe("Client secrets of single sign-on."),
  mails: count.describe("Mails that have not been sent."),
  webhooks: count.describe("Webhooks, with their addresses and secrets."),
  mirrors: count.describe("Mirrors, with their passwords and SSH keys."),
  push_mirrors: count.describe("Push mirrors, with their passwords and SSH keys."),
  imports: count.describe("Imports that are under way, with their tokens."),
  audit_streams: count.describe("Streams of audit logs, with their tokens and keys."),
  secrets: count.describe("Values of secrets of pipelines."),
  id_token_keys: count.describe("Keys that sign identity tokens of jobs."),
  job_signing_keys: count.describe("Keys that sign what jobs execute."),
} satisfies Record<EncryptedKind, z.ZodType>);

export const InstanceKey = z
  .object({
    id: z.string().describe("16 hexadecimal digits; tells nothing about the key."),
    state: z
      .enum(["pending", "current", "old"])
      .describe(
        "`pending`: becomes current in a few seconds; `current`: encrypts and signs; `old`: only decrypts and verifies, and is removed when nothing needs it any more.",
      ),
    created_at: timestamp
      .nullable()
      .describe("Null for the key of an instance that is older than its keyring."),
    wrapped_by: z
      .enum(["program", "environment", "file"])
      .nullable()
      .describe("Where the key is that encrypts this one; null if this server does not have it."),
    encrypted: counts.describe("Records that can be read only with this key."),
  })
  .meta({ id: "InstanceKey" });
export type InstanceKey = z.infer<typeof InstanceKey>;

export const InstanceKeys = z
  .object({ keys: z.array(InstanceKey).describe("Newest first.") })
  .meta({ id: "InstanceKeys" });
export type InstanceKeys = z.infer<typeof InstanceKeys>;

export const KeyRotation = z
  .object({
    id: idOf("rot"),
    state: z.enum(["running", "done", "cancelled"]),
    requested_by: z.string().nullable().describe("Name of the administrator; null if the account is gone."),
    key_id: z.string().nullable().describe("The new key; null until it exists."),
    encrypted: counts.describe("Records that were encrypted again."),
    unreadable: count.describe(
      "Records that no key can decrypt, and that were left as they are; the log of the worker names them.",
    ),
    work_url: z.string().describe("Address of its background work in the API."),
    url: z.string().describe("Address of this record in the API."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: "KeyRotation" });
export type KeyRotation = z.infer<typeof KeyRotation>;
