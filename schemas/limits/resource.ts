/** Rate limits as the REST interface shows them. */
import { z } from "zod";
import { RateCategory } from "../core/rate-category.ts";
import { timestamp } from "../core/time.ts";

export const RateLimitStatus = z
  .object({
    resource: RateCategory,
    limit: z.number().int().describe("Requests (GraphQL: points) in a window."),
    used: z.number().int(),
    remaining: z.number().int(),
    window_seconds: z.number().int(),
    reset_at: timestamp
      .nullable()
      .describe("null while nothing has been counted: the first request begins it."),
  })
  .meta({ id: "RateLimitStatus" });
export type RateLimitStatus = z.infer<typeof RateLimitStatus>;

export const RateLimitOverview = z
  .object({ resources: z.array(RateLimitStatus) })
  .meta({ id: "RateLimitOverview" });

export const AccountLimit = z
  .object({
    resource: RateCategory,
    limit: z.number().int().describe("0: no limit."),
    window_seconds: z.number().int(),
    custom: z.boolean().describe("Set for this account; else the instance's."),
  })
  .meta({ id: "AccountLimit" });
export type AccountLimit = z.infer<typeof AccountLimit>;

export const AccountLimits = z.object({ limits: z.array(AccountLimit) }).meta({ id: "AccountLimits" });

/** A custom limit can be high, but not absent: 0 would be one for the instance. */
const customLimit = z.number().int().min(1).max(1_000_000_000).optional();

export const CustomLimits = z
  .strictObject({
    core: customLimit,
    search: customLimit,
    git: customLimit,
    graphql: customLimit,
    packages: customLimit,
    web: customLimit,
  })
  .meta({ id: "CustomLimits", examples: [{ core: 20_000 }] });
export type CustomLimits = z.infer<typeof CustomLimits>;
