/**
 * What a runner and the server say about caches of a job: JSON over HTTPS below `jobCachesPath`, with the job's own token.
 * `docs/architecture/caches.md` tells the order.
 */
import { z } from "zod";
import { PartAddress } from "../artifacts/job-messages.ts";
import { partBytes } from "../artifacts/limits.ts";
import { idOf } from "../core/ids.ts";
import { maxCacheKeyChars, maxCacheParts, maxCaches, maxRestorePrefixes } from "./limits.ts";

export const jobCachesPath = "/-/job-caches";
/** Where a runner sends what was handed over: parts and `complete` as below `jobCachesPath`, with the token of that one entry. */
export const cacheUploadsPath = "/-/cache-uploads";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const key = z
  .string()
  .min(1)
  .max(maxCacheKeyChars)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must not contain control characters");
/** Of the cache in the job's file. */
const position = z
  .int()
  .min(0)
  .max(maxCaches - 1);
const sizeBytes = z.int().min(1).max(partBytes);

/** `POST /lookup`: the keys as the runner has evaluated them. */
export const LookUpCache = z.strictObject({
  position,
  key,
  restore: z.array(key).max(maxRestorePrefixes),
  /** The entry that is `saving`, where the runner that asks is the one that has it. Only sent to servers that told of one. */
  held: idOf("cache").optional(),
});
export type LookUpCache = z.infer<typeof LookUpCache>;

/** What a cache may hold when it is unpacked. */
export const CacheLimits = z.object({ bytes: z.int(), entries: z.int() });
export type CacheLimits = z.infer<typeof CacheLimits>;

export const FoundCache = z.object({
  id: idOf("cache"),
  key: z.string(),
  /** It has the very key that was asked for. */
  exact: z.boolean(),
  size_bytes: z.int(),
  /** In their order. */
  parts: z.array(z.object({ sha256, size_bytes: sizeBytes })),
});
export type FoundCache = z.infer<typeof FoundCache>;
/** An entry with the very key that a runner still sends: it is worth waiting for. */
export const SavingCache = z.object({ id: idOf("cache"), job: z.string(), since: z.string() });
export type SavingCache = z.infer<typeof SavingCache>;
/** `saving` is absent in answers of servers before it. */
export const LookedUpCache = z.object({
  found: FoundCache.nullable(),
  saving: SavingCache.nullable().optional(),
  limits: CacheLimits,
});
export type LookedUpCache = z.infer<typeof LookedUpCache>;

/** `POST /entries` */
export const BeginCache = z.strictObject({ position, key });
export type BeginCache = z.infer<typeof BeginCache>;
export const BegunCache = z.object({
  /** null: there is one with this key already, and it stays as it is. */
  id: idOf("cache").nullable(),
  limits: CacheLimits,
  /** `POST /entries/ID/hand-over` is understood. Absent: the job waits until the cache is sent. */
  hand_over: z.boolean().optional(),
});
export type BegunCache = z.infer<typeof BegunCache>;

/** `POST /entries/ID/hand-over`: from now on the entry is sent with this token, which outlives the job for so long. */
export const HandedOverCache = z.object({ token: z.string(), for_ms: z.int().min(1) });
export type HandedOverCache = z.infer<typeof HandedOverCache>;

/** `POST /entries/ID/parts`; the answer is a `PartAddress`: null means `PUT /entries/ID/parts/NUMBER/SHA256`. */
export const AnnounceCachePart = z.strictObject({
  number: z
    .int()
    .min(0)
    .max(maxCacheParts - 1),
  sha256,
  size_bytes: sizeBytes,
});
export type AnnounceCachePart = z.infer<typeof AnnounceCachePart>;

/** `POST /entries/ID/complete`: how many parts it has. */
export const CompleteCache = z.strictObject({ parts: z.int().min(1).max(maxCacheParts) });
export const CompletedCache = z.object({
  /** False where another job was faster. */
  saved: z.boolean(),
});

/** `POST /entries/ID/parts/NUMBER/address`; `direct` null: `GET /entries/ID/parts/NUMBER`. */
export const CachePartSource = z.object({ direct: PartAddress.shape.direct });
