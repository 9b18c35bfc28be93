/** What is left of limits as the REST interface shows it. */
import type { z } from "zod";
import type { RateLimitStatus } from "@forgeline/schemas/limits/resource.ts";
import type { CallerLimitStatus } from "./limit-status.ts";

export function presentLimitStatus(status: CallerLimitStatus): z.input<typeof RateLimitStatus> {
  return {
    resource: status.category,
    limit: status.limit,
    used: status.limit - status.remaining,
    remaining: status.remaining,
    window_seconds: status.windowSeconds,
    reset_at: status.running ? status.resetAt.toISOString() : null,
  };
}
