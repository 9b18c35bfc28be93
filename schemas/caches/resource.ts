/** Caches as REST shows them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const CacheScope = z.enum(["branch", "tag", "repository", "untrusted"]);
export type CacheScope = z.infer<typeof CacheScope>;

/** A job that restored or saved an entry. */
export const CacheUser = z.object({
  pipeline: z.object({ id: idOf("pipe"), number: z.int() }).describe("Its run."),
  job: z.object({
    id: idOf("job"),
    key: z.string().describe("Its id in the file."),
    label: z.string().describe("Its key; of a combination of a matrix, with its values."),
  }),
  at: timestamp,
});
export type CacheUser = z.infer<typeof CacheUser>;

export const Cache = z
  .object({
    id: idOf("cache"),
    url: z.string(),
    web_url: z.string().describe("The page of all caches."),
    key: z.string(),
    scope: CacheScope.describe(
      "Who finds it: runs of a branch or tag, of the whole repository, or only untrusted ones of the same ref.",
    ),
    ref: z.string().nullable().describe("Whose it is; null for the whole repository."),
    paths: z.array(z.string()).describe("As in the file of the job that saved it."),
    size: z.int().describe("Bytes, compressed."),
    created_at: timestamp,
    updated_at: timestamp.describe("When it was saved; it has not changed since."),
    last_used_at: timestamp,
    saved_by: CacheUser.nullable().describe("null where that run is gone."),
    used_by: z.array(CacheUser).describe("The last jobs that restored it, newest first; at most 5."),
  })
  .meta({ id: "Cache" });
export type Cache = z.infer<typeof Cache>;

export const CacheUse = z
  .object({
    job: CacheUser.shape.job,
    key: z.string().describe("As the job asked for it."),
    restored: z
      .object({
        key: z.string(),
        exact: z.boolean().describe("It is the very key, so nothing was saved."),
        size: z.int().describe("Bytes, compressed."),
        cache_id: idOf("cache").nullable().describe("null where it was removed since."),
      })
      .nullable()
      .describe("null: nothing was found."),
    saved: z
      .object({ size: z.int(), cache_id: idOf("cache").nullable() })
      .nullable()
      .describe("null: nothing was saved."),
    at: timestamp,
  })
  .meta({ id: "CacheUse" });
export type CacheUse = z.infer<typeof CacheUse>;
