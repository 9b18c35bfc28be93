/** Settings of servers in tests and benchmarks: no limits, unless a test is about them. */
import { rateLimitSettings } from "@forgeline/server/config/rate-limits.ts";
import { openLogSettings } from "@forgeline/server/config/open-log.ts";

export const noRateLimits: Record<string, string> = Object.fromEntries(
  Object.keys({ ...rateLimitSettings, ...openLogSettings }).map((name) => [name, "0"]),
);
