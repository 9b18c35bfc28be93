/** Settings of the configuration about caches of jobs. */
import { z } from "zod";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import { maxCacheParts } from "@forgeline/schemas/caches/limits.ts";

export const cacheSettings = {
  FORGELINE_CACHE_REPOSITORY_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(10_737_418_240)
    .describe(
      "Maximum size of all caches of one repository together, in bytes. The ones that were not used for the longest time are removed to make room.",
    ),
  FORGELINE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(partBytes * maxCacheParts)
    .default(5_368_709_120)
    .describe("Maximum size of one cache as it is stored, in bytes."),
  FORGELINE_CACHE_UNPACKED_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(21_474_836_480)
    .describe("Maximum size of the files of one cache, in bytes."),
  FORGELINE_CACHE_FILES: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000_000)
    .describe("Maximum number of files and directories in one cache."),
  FORGELINE_CACHE_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(30)
    .describe("Caches that were not used for so many days are removed."),
};

export interface CacheLimits {
  repositoryBytes: number;
  /** Of one, as it is stored. */
  storedBytes: number;
  /** Of one, of its files. */
  unpackedBytes: number;
  files: number;
  unusedDays: number;
}

export function toCacheLimits(env: z.infer<z.ZodObject<typeof cacheSettings>>): CacheLimits {
  return {
    repositoryBytes: env.FORGELINE_CACHE_REPOSITORY_BYTES,
    storedBytes: env.FORGELINE_CACHE_BYTES,
    unpackedBytes: env.FORGELINE_CACHE_UNPACKED_BYTES,
    files: env.FORGELINE_CACHE_FILES,
    unusedDays: env.FORGELINE_CACHE_DAYS,
  };
}
