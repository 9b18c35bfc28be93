/** Webhooks and their deliveries as the REST interface shows and takes them (`decisions.md`, "Webhooks"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { eventKinds, SubscribableEvent } from "../events/event-kind.ts";

export const maxWebhooks = 50;

const deliveryStates = ["pending", "retrying", "delivered", "failed"] as const;
export const DeliveryStatus = z
  .enum(deliveryStates)
  .describe(
    "`pending` (on pages: waiting): not sent yet; `retrying`: an attempt failed, another one follows; `delivered` (accepted): answered with 200 to 299; `failed`: given up after 24 hours.",
  );
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const Webhook = z
  .object({
    id: idOf("hook"),
    url: z
      .string()
      .describe("Where it sends to. A user name, password and the values of parameters are shown as `***`."),
    events: z.array(SubscribableEvent),
    active: z
      .boolean()
      .describe("If false, nothing is sent. What waits is kept; what happens meanwhile is not sent later."),
    content_type: z.literal("json"),
    ordered: z
      .boolean()
      .describe("One delivery after the other, in order: one that fails holds up those after it."),
    ca_certificate: z
      .string()
      .nullable()
      .describe("PEM. If set, only certificates that this authority signed are accepted."),
    previous_secret_until: timestamp
      .nullable()
      .describe("Until then each delivery is also signed with the secret before this one."),
    disabled_reason: z
      .enum(["failing", "transferred"])
      .nullable()
      .describe(
        "Why Forgeline switched it off: `failing`, every delivery has failed for seven days; `transferred`, the repository has another owner.",
      ),
    failing_since: timestamp
      .nullable()
      .describe("When deliveries began to fail; null if the last one succeeded."),
    next_attempt_at: timestamp
      .nullable()
      .describe("Until then nothing is sent, because every delivery failed lately; null otherwise."),
    waiting: z.number().int().describe("Deliveries that have not been accepted yet and were not given up."),
    last_delivery: z.object({ id: idOf("dlv"), status: DeliveryStatus, created_at: timestamp }).nullable(),
    api_url: z.string().describe("Address of this record in the API, which other records call `url`."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = z
  .object({
    ...Webhook.shape,
    secret: z
      .string()
      .nullable()
      .describe("The secret that Forgeline made; shown only now. Null if you gave one."),
  })
  .meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

const fields = {
  url: z
    .string()
    .min(1)
    .max(2048)
    .describe(
      "`https://HOST/PATH`. A user name and password in it are sent as HTTP Basic authentication. It is stored encrypted.",
    ),
  events: z.array(SubscribableEvent).min(1).max(20),
  secret: z
    .string()
    .min(16)
    .max(256)
    .regex(/^[\x21-\x7e]+$/, "Only visible ASCII characters, without spaces.")
    .describe("Signs each delivery; 16 to 256 visible ASCII characters. Write only."),
  ca_certificate: z
    .string()
    .max(32_768)
    .nullable()
    .describe("PEM. If set, only certificates that this authority signed are accepted."),
};

export const WebhookCreate = z
  .strictObject({
    url: fields.url,
    events: fields.events.default(["push"]),
    secret: fields.secret
      .optional()
      .describe(`${fields.secret.description} Default: Forgeline makes one and shows it once.`),
    active: z.boolean().default(true),
    content_type: z.literal("json").default("json"),
    ordered: z.boolean().default(false),
    ca_certificate: fields.ca_certificate.default(null),
  })
  .meta({
    id: "WebhookCreate",
    examples: [{ url: "https://ci.example.com/forgeline", events: ["push", "pipeline"] }],
  });
export type WebhookCreate = z.infer<typeof WebhookCreate>;

export const WebhookUpdate = z
  .strictObject({
    url: fields.url
      .optional()
      .describe(
        "The address as it is shown changes nothing. If every delivery failed lately, all that waits is sent to a new one at once.",
      ),
    events: fields.events.optional(),
    secret: fields.secret
      .optional()
      .describe(
        "The new secret. The one before stays valid for `previous_secret_hours`, and one before that ends at once. The present one changes nothing.",
      ),
    previous_secret_hours: z
      .number()
      .int()
      .min(0)
      .max(168)
      .optional()
      .describe(
        "How long deliveries are also signed with the secret before; default 24. 0 alone ends it now.",
      ),
    active: z
      .boolean()
      .optional()
      .describe("Switching it on sends all that waits at once, by an `ordered` webhook in its order."),
    content_type: z.literal("json").optional(),
    ordered: z.boolean().optional(),
    ca_certificate: fields.ca_certificate
      .optional()
      .describe(`${fields.ca_certificate.description} Used from the next attempt on.`),
  })
  .meta({ id: "WebhookUpdate", examples: [{ events: ["push", "tag"], active: true }] });
export type WebhookUpdate = z.infer<typeof WebhookUpdate>;

const summary = {
  id: idOf("dlv").describe(
    "Also in the headers `X-Svc-Delivery` and `webhook-id`; the same in each attempt.",
  ),
  number: z
    .number()
    .int()
    .describe("Rises by one with each delivery of this webhook; `sequence` in the body."),
  event: z.enum(eventKinds),
  action: z.string(),
  test: z.boolean().describe("Sent on request, to try the endpoint."),
  status: DeliveryStatus,
  attempts_count: z.number().int(),
  response_status: z
    .number()
    .int()
    .nullable()
    .describe("Of the last attempt; null if there was no response."),
  error: z.string().nullable().describe("Why the last attempt failed, as a sentence."),
  next_attempt_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  url: z.string(),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};
export const DeliverySummary = z.object(summary).meta({ id: "WebhookDeliverySummary" });
export type DeliverySummary = z.infer<typeof DeliverySummary>;

const headers = z.record(z.string(), z.string());
export const DeliveryAttempt = z
  .object({
    attempt: z.number().int().describe("From 1."),
    at: timestamp,
    status: z.number().int().nullable().describe("Status of the response; null if there was none."),
    duration_ms: z.number().int(),
    error: z.string().nullable().describe("Why it does not count as delivered, as a sentence."),
    request_headers: headers,
    response_headers: headers.nullable(),
    response_body: z.string().nullable().describe("The first 64 KiB, as text."),
    response_truncated: z.boolean().describe("More came than is shown."),
  })
  .meta({ id: "WebhookDeliveryAttempt" });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const Delivery = z
  .object({
    ...summary,
    attempts: z.array(DeliveryAttempt).describe("Newest first, at most 100."),
    request_headers: headers.nullable().describe("Of the last attempt; null before the first one."),
    request_body: z.string(),
  })
  .meta({ id: "WebhookDelivery" });
export type Delivery = z.infer<typeof Delivery>;

export const WebhookTest = z
  .strictObject({
    event: SubscribableEvent.describe("The last event of this kind is sent once more, as a new delivery."),
  })
  .meta({ id: "WebhookTest", examples: [{ event: "push" }] });

export const Redelivered = z
  .object({
    redelivered: z.number().int(),
    more: z.boolean().describe("There are more than were taken at once (10,000): ask again."),
  })
  .meta({ id: "WebhookRedelivered" });
export type Redelivered = z.infer<typeof Redelivered>;
