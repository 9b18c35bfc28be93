/** Settings of servers in tests and benchmarks: no limits, unless a test is about them. */
import { rateLimitSettings } from "@forgeline/server/platform/rate-limits.ts";
import { socketSettings } from "@forgeline/server/platform/socket-limits.ts";

export const noRateLimits: Record<string, string> = Object.fromEntries(
  Object.keys({ ...rateLimitSettings, ...socketSettings }).map((name) => [name, "0"]),
);
