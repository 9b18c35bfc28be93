/** Settings of servers in tests and benchmarks: no limits, unless a test is about them. */
import { rateLimitSettings } from "@forgeline/server/platform/rate-limits.ts";

export const noRateLimits: Record<string, string> = Object.fromEntries(
  Object.keys(rateLimitSettings).map((name) => [name, "0"]),
);
