/** What is sent to webhooks, as the `webhooks` of OpenAPI 3.1. */
import { webhookPayloads } from "@forgeline/schemas/webhooks/payloads.ts";
import type { Components } from "./components.ts";

/** By event: the body, and what counts as accepted. */
export function describeWebhooks(components: Components): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(webhookPayloads).map(([event, payload]) => [
      event,
      {
        post: {
          tags: ["webhooks"],
          summary: `Body of \`${event}\``,
          requestBody: {
            required: true,
            content: { "application/json": { schema: components.schemaOf(payload, "output") } },
          },
          responses: { "2XX": { description: "Accepted. Anything else is tried again." } },
        },
      },
    ]),
  );
}
