/** How many logs one may have open. How often they are opened is a rate limit. */
import { z } from "zod";

/** Most open logs of a signed-in user, and of an address without credential; 0: no limit. */
export interface OpenLogLimits {
  user: number;
  address: number;
}

const max = (fallback: number, whose: string) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(fallback)
    .describe(`Maximum number of logs that ${whose} can have open at a time, on each server; 0: no limit.`);

export const openLogSettings = {
  FORGELINE_OPEN_LOGS: max(100, "a user"),
  FORGELINE_OPEN_LOGS_UNAUTHENTICATED: max(50, "an address without a token"),
};

export function toOpenLogLimits(env: { [Name in keyof typeof openLogSettings]: number }): OpenLogLimits {
  return { user: env.FORGELINE_OPEN_LOGS, address: env.FORGELINE_OPEN_LOGS_UNAUTHENTICATED };
}
