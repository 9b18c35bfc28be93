/** How many REST requests of one user or address are worked on at a time, what they may send, and how long an answer waits for its reader. How many an hour is a rate limit. */
import { z } from "zod";

export interface RequestSlotLimits {
  atOnce: number;
  /** Of whom more than so many wait, which no page and hardly a program has, one is worked on at a time. */
  longLine: number;
  /** Of one user or address. A request that waits is an open connection and little memory. */
  maxWaiting: number;
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
      "Maximum number of API requests that one process handles at a time for one user, the jobs of one repository, or one address without a token; further ones wait, and while more than 50 wait, they are handled one at a time. Default: a quarter of `FORGELINE_DATABASE_POOL`, at least 2.",
    ),
  FORGELINE_REQUEST_IDLE_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(1_200_000)
    .describe(
      "How long a request may continue while its client neither sends nor reads, in milliseconds; then its connection is closed. Buffers in between can hide up to 2 MB of a slow client's reading. Git has its own limit.",
    ),
};

/** A quarter of the connections to the database: a person may ask under several names, as themselves and by their bots and jobs. */
export function toRequestSlots(env: {
  FORGELINE_REQUESTS_AT_ONCE?: number | undefined;
  FORGELINE_DATABASE_POOL: number;
}): RequestSlotLimits {
  const atOnce = env.FORGELINE_REQUESTS_AT_ONCE ?? Math.max(2, Math.floor(env.FORGELINE_DATABASE_POOL / 4));
  return { atOnce, longLine: 50, maxWaiting: 1_000, waitMs: 30_000 };
}
