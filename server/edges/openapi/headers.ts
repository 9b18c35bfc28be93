/** Headers of answers that many operations share. */
import type { JsonSchema } from "./components.ts";

const integer: JsonSchema = { type: "integer" };
export const pagingHeaders = {
  Link: { description: "URLs of the first, previous, next and last page.", schema: { type: "string" } },
  "X-Total-Count": {
    description: "Total number of items; above ten thousand it may be a few seconds old.",
    schema: integer,
  },
  "X-Page": { description: "This page.", schema: integer },
  "X-Per-Page": { description: "Items per page, after clamping.", schema: integer },
  "X-Total-Pages": { description: "Number of pages.", schema: integer },
};

export const rateHeaders = {
  "X-RateLimit-Limit": { description: "Maximum number of requests in the current window.", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests remaining in the current window.", schema: integer },
  "X-RateLimit-Reset": { description: "Unix time at which the window ends.", schema: integer },
  "X-RateLimit-Resource": {
    description: "The limit that the request counted against.",
    schema: { type: "string" },
  },
};
export const retryHeaders = { "Retry-After": { description: "Seconds to wait.", schema: integer } };

/** Without repeating what they mean. */
export function referTo(headers: object): Record<string, { $ref: string }> {
  return Object.fromEntries(
    Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
