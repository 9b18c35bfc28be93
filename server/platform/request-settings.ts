/** How many REST requests of one user or address are worked on at a time, and what they may send. How many an hour is a rate limit. */
import { z } from "zod";

export interface RequestPlaceLimits {
  atOnce: number;
  /** Of whom more than so many wait, which no page and hardly a program has, one is worked on at a time. */
  longLine: number;
  /** Of one user or address. A request that waits is an open connection and little memory. */
  mostWaiting: number;
  waitMs: number;
}

export interface BodyLimits {
  /** Bytes of one user or address, and of all together. */
  ofOne: number;
  inAll: number;
}

const mib = 1024 * 1024;
/** Four of the largest bodies that anything takes. What is made of a body has its size some times over. */
export const bodyLimits: BodyLimits = { ofOne: 64 * mib, inAll: 256 * mib };

export const requestSettings = {
  FORGELINE_REQUESTS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      "Most API requests of one user, repository's jobs, or address without a token, that one process works on at a time; others of theirs wait, and while more than 50 do, it works on one at a time. Default: half of `FORGELINE_DATABASE_POOL`.",
    ),
};

/** Half of the connections to the database, so that nobody keeps everybody else waiting for one. */
export function toRequestPlaces(env: {
  FORGELINE_REQUESTS_AT_ONCE?: number | undefined;
  FORGELINE_DATABASE_POOL: number;
}): RequestPlaceLimits {
  const atOnce = env.FORGELINE_REQUESTS_AT_ONCE ?? Math.floor(env.FORGELINE_DATABASE_POOL / 2);
  return { atOnce, longLine: 50, mostWaiting: 1_000, waitMs: 30_000 };
}
