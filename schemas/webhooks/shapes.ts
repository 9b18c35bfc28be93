/** What the operations on webhooks take and answer, alike for repositories and organizations. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes } from "../core/route.ts";
import { givenTime } from "../core/time.ts";
import { eventKinds } from "../events/event-kind.ts";
import {
  Delivery,
  DeliveryStatus,
  DeliverySummary,
  Redelivered,
  Webhook,
  WebhookCreate,
  WebhookTest,
  WebhookUpdate,
  WebhookWithSecret,
} from "./resource.ts";

const time = givenTime.optional();
export const DeliveryQuery = z.strictObject({
  ...PageQuery.shape,
  status: DeliveryStatus.optional(),
  event: z.enum(eventKinds).optional(),
  since: time.describe("Created at this time or later."),
  until: time.describe("Created at this time or earlier."),
});
export type DeliveryQuery = z.output<typeof DeliveryQuery>;

export const RedeliverMany = z
  .strictObject({
    since: givenTime.optional().describe("Created at this time or later; default: all that are kept."),
    until: givenTime.optional().describe("Created at this time or earlier; default: now."),
    status: DeliveryStatus.default("failed").describe("Default: `failed`, given up after 24 hours."),
    event: z.enum(eventKinds).optional().describe("Only deliveries of this event."),
  })
  .meta({ id: "WebhookRedeliver", examples: [{ since: "2026-11-25T08:00:00Z", status: "failed" }] });
export type RedeliverMany = z.output<typeof RedeliverMany>;

export const list = {
  method: "get",
  query: PageQuery,
  status: 200,
  response: z.array(Webhook),
  paginated: true,
  errors: [],
} as const;
export const create = {
  method: "post",
  body: WebhookCreate,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  response: WebhookWithSecret,
  showsSecret: true,
  errors: ["conflict"],
} as const;
export const get = { method: "get", status: 200, response: Webhook, errors: [] } as const;
export const update = {
  method: "patch",
  body: WebhookUpdate,
  bodyLimitBytes: largeBodyBytes,
  status: 200,
  response: Webhook,
  errors: [],
} as const;
export const remove = { method: "delete", status: 204, errors: [] } as const;
export const ping = {
  method: "post",
  description: "A webhook that is switched off is pinged only after it was switched on.",
  status: 202,
  response: DeliverySummary,
  errors: ["conflict"],
} as const;
export const test = {
  method: "post",
  description:
    "Sends what really happened here within the last 30 days, as a new delivery with `test: true`. If nothing did, the answer is `conflict`.",
  body: WebhookTest,
  status: 202,
  response: DeliverySummary,
  errors: ["conflict"],
} as const;
export const deliveries = {
  method: "get",
  query: DeliveryQuery,
  status: 200,
  response: z.array(DeliverySummary),
  paginated: true,
  errors: [],
} as const;
export const delivery = { method: "get", status: 200, response: Delivery, errors: [] } as const;
export const redeliver = {
  method: "post",
  description: "Under the same id, so that receivers that have accepted it can tell.",
  status: 202,
  response: DeliverySummary,
  errors: ["conflict"],
} as const;
export const redeliverMany = {
  method: "post",
  description: "The oldest first, each under its own id. At most 10,000 at once.",
  body: RedeliverMany,
  status: 202,
  response: Redelivered,
  errors: ["conflict"],
} as const;
