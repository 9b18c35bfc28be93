/** The stream of an audit log: where its entries are sent as they are recorded (`decisions.md`, "Audit" and "Records"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

/** Entries of one request, object or write. */
export const maxBatchEntries = 100;

export const AuditStreamStatus = z
  .enum(["up_to_date", "sending", "failing", "paused"])
  .describe("`sending`: entries wait; `failing`: the target did not accept the last attempt.");
export type AuditStreamStatus = z.infer<typeof AuditStreamStatus>;

const hostName = z
  .string()
  .max(253)
  .regex(/^(?![-.])(?!.*\.\.)[A-Za-z0-9.:-]*[A-Za-z0-9]$/, "A host name or an IP address.");
const bucketName = z
  .string()
  .regex(
    /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    "3 to 63 lower-case letters, digits, hyphens and single dots.",
  );
const prefix = z
  .string()
  .max(500)
  .regex(
    /^(?!\/)(?!.*\/\/)(?!(?:.*\/)?\.{1,2}(?:\/|$))[A-Za-z0-9!_.*'()/-]*$/,
    "Letters, digits, and ! _ . * ' ( ) / -, not beginning with /, and no part . or ..",
  );
const keyId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\w-]+$/, "Letters, digits, _ and -.");

export const StreamBucket = z
  .object({
    name: bucketName,
    region: z.string(),
    endpoint: z.string().describe("`https://HOST`; of AWS where you gave none."),
    prefix: z.string().describe("What the names of objects begin with."),
    access_key_id: z.string(),
  })
  .meta({ id: "AuditStreamBucket" });

export const StreamSyslog = z
  .object({ host: z.string(), port: z.number().int() })
  .meta({ id: "AuditStreamSyslog" });

export const AuditStream = z
  .object({
    id: idOf("strm"),
    status: AuditStreamStatus,
    enabled: z.boolean(),
    disabled_reason: z
      .enum(["stopped"])
      .nullable()
      .describe("Why Forgeline paused it: `stopped`, an administrator of the instance stopped its work."),
    url: z
      .string()
      .nullable()
      .describe("Where requests go; values of its parameters are shown as `***`. Null for other targets."),
    bucket: StreamBucket.nullable(),
    syslog: StreamSyslog.nullable(),
    ca_certificate: z
      .string()
      .nullable()
      .describe("PEM. If set, only certificates that this authority signed are accepted."),
    previous_token_until: timestamp
      .nullable()
      .describe(
        "Until then a request that the target refuses with 401 or 403 is repeated with the token before.",
      ),
    last_sent_seq: z
      .number()
      .int()
      .describe("`seq` of the last entry that the target has accepted; 0: none."),
    last_sent_at: timestamp.nullable(),
    lag: z.number().int().describe("Entries that wait."),
    lag_seconds: z.number().describe("How long the oldest of them has waited; 0 if there is none."),
    last_error: z
      .string()
      .nullable()
      .describe("Why the target did not accept the last attempt; null if it did."),
    failures: z.number().int().describe("Attempts that failed in a row."),
    failing_since: timestamp.nullable(),
    next_attempt_at: timestamp.nullable().describe("Null unless the last attempt failed."),
    api_url: z.string().describe("Address of this record in the API, which other records call `url`."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "AuditStream" });
export type AuditStream = z.infer<typeof AuditStream>;

const secret = z
  .string()
  .min(8)
  .max(1024)
  .regex(/^[\x21-\x7e]+$/, "Only visible ASCII characters, without spaces.");

/** What is left out stays as it is, or has its default. */
const BucketSet = z.strictObject({
  name: bucketName.optional().describe("Required for the first time."),
  region: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "Lower-case letters, digits and hyphens.")
    .optional()
    .describe("Default: `us-east-1`."),
  endpoint: z
    .string()
    .max(300)
    .regex(/^https:\/\/[^\s/?#@]+\/?$/, "An address of the form https://HOST[:PORT].")
    .optional()
    .describe(
      "`https://HOST[:PORT]` of a service that speaks the protocol of S3; default: that of AWS in this region.",
    ),
  prefix: prefix.optional().describe("What the names of objects begin with, such as `audit/`."),
  access_key_id: keyId.optional().describe("Required for the first time."),
  secret_access_key: secret.optional().describe("Write only. Needed again for another key or endpoint."),
});

export const AuditStreamSet = z
  .strictObject({
    url: z.string().min(1).max(2048).optional().describe("`https://HOST/PATH`. It is stored encrypted."),
    token: secret
      .optional()
      .describe("Sent as `Authorization: Bearer` to `url`. Write only. Left out: stays as it is."),
    previous_token_hours: z
      .number()
      .int()
      .min(0)
      .max(168)
      .optional()
      .describe("How long the token before a new one is tried as well; default 24."),
    bucket: BucketSet.optional().describe("A bucket: one object for each batch, and not `url`."),
    syslog: z
      .strictObject({ host: hostName, port: z.number().int().min(1).max(65_535).optional() })
      .optional()
      .describe("A receiver of syslog over TLS, and not `url`. Default of `port`: 6514."),
    ca_certificate: z
      .string()
      .max(32_768)
      .nullable()
      .optional()
      .describe(
        "PEM. If set, only certificates that this authority signed are accepted. Left out: stays as it is, for the same host.",
      ),
    enabled: z.boolean().optional().describe("Default: true. `true` also ends the wait after a failure."),
    start_seq: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Send from the entry with this `seq` on. Default: what is recorded from now on."),
  })
  .meta({
    id: "AuditStreamSet",
    examples: [{ url: "https://siem.example.com/forgeline", token: "s3cr3t-for-the-stream", start_seq: 1 }],
  });
export type AuditStreamSet = z.infer<typeof AuditStreamSet>;

export const AuditStreamTest = z
  .object({
    accepted: z.boolean(),
    error: z.string().nullable().describe("Why it was not accepted, as a sentence."),
    duration_ms: z.number().int(),
  })
  .meta({ id: "AuditStreamTest" });
export type AuditStreamTest = z.infer<typeof AuditStreamTest>;
