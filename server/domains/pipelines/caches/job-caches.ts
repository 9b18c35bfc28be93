/**
 * Caches for the runner that has an attempt. The server decides the scope, by the run and its trust; the runner only gives keys. Each
 * call may be repeated: what is there is not sent again.
 */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type {
  BeginCache,
  BegunCache,
  HandedOverCache,
  LookedUpCache,
  LookUpCache,
  SavingCache,
} from "@forgeline/schemas/caches/job-messages.ts";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import type { CacheLimits } from "../../../config/caches.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { lostIsAbsent } from "../../../platform/objects/lost-object.ts";
import type { ObjectStore, SignedAddress } from "../../../platform/objects/object-store.ts";
import { hashCredential, newCacheUploadToken } from "../runners/credential.ts";
import { cachePartKey } from "./cache-part-key.ts";
import { addressSeconds, createCacheUploads } from "./cache-uploads.ts";
import * as store from "./cache.store.ts";
import type { CacheMetrics } from "./metrics.ts";
import { cacheScopes } from "./scope.ts";

export interface JobCacheDeps {
  db: Database;
  objects: ObjectStore;
  limits: CacheLimits;
  metrics: CacheMetrics;
}

/** Names an entry, for one attempt. */
export interface CacheName {
  attemptId: string;
  id: string;
}

export type JobCaches = ReturnType<typeof createJobCaches>;

export function createJobCaches({ db, objects, limits, metrics }: JobCacheDeps) {
  const unpacked = { bytes: limits.unpackedBytes, entries: limits.files };

  async function find(wanted: CacheName, number: number): Promise<{ key: string; sizeBytes: number }> {
    const cache = await store.findForJob(db, wanted);
    const sha256 = cache?.parts[number];
    if (!cache || sha256 === undefined) throw new AppError("not_found");
    return { key: cachePartKey(cache, { number, sha256 }), sizeBytes: cache.part_bytes[number] ?? 0 };
  }

  return {
    /** The entry of the key, else the newest of the first beginning that has any. Throws `not_found` without a lease or such a cache. */
    lookUp(attemptId: string, wanted: LookUpCache): Promise<LookedUpCache> {
      return db.transaction(async (tx) => {
        const at = await place(tx, attemptId, wanted.position);
        const { entry, saving } = await search(tx, at, wanted);
        await store.recordLookup(tx, at.use, { key: wanted.key, entry });
        const exact = entry?.key === wanted.key;
        // It asks again.
        if (!saving) metrics.lookups.inc({ outcome: entry ? (exact ? "exact" : "prefix") : "none" });
        if (!entry) return { found: null, saving, limits: unpacked };
        metrics.restoredBytes.inc(entry.size_bytes);
        const { id, key, size_bytes } = entry;
        // Of one that is still being sent, parts are stored in any order, and whoever asks for it has all of it.
        const isComing = entry.id === wanted.held;
        const stored = isComing ? [] : entry.parts;
        const parts = stored.map((sha256, i) => ({ sha256, size_bytes: entry.part_bytes[i] ?? 0 }));
        return { found: { id, key, exact, size_bytes, parts }, saving, limits: unpacked };
      });
    },
    /** Throws `not_found` as `lookUp`. */
    begin(attemptId: string, wanted: BeginCache): Promise<BegunCache> {
      return db.transaction(async (tx) => {
        const at = await place(tx, attemptId, wanted.position);
        const own = { ...at.lookup, scopes: [at.own] };
        if (await store.findExact(tx, own, wanted.key)) return { id: null, limits: unpacked };
        const id = await store.putUpload(tx, {
          ...at.use,
          id: newId("cache"),
          scope: at.own,
          key: wanted.key,
          pathsHash: at.lookup.pathsHash,
          paths: at.cache.paths,
          epoch: at.epoch,
        });
        return { id: id ?? null, limits: unpacked, hand_over: true };
      });
    },
    /**
     * The runner has all of it, and sends it with the token that this gives, also once the job has ended well. Throws `not_found`. A later
     * token replaces an earlier one.
     */
    async handOver(name: CacheName): Promise<HandedOverCache> {
      const token = newCacheUploadToken();
      const isOurs = await store.handOver(db, name, hashCredential(token));
      if (!isOurs) throw new AppError("not_found");
      return { token, for_ms: store.handedOverMs };
    },
    ...createCacheUploads({ db, objects, limits, metrics }),
    /** Where the store itself gives the part; null: it is fetched from here. Throws `not_found`. */
    async addressOf(wanted: CacheName, number: number): Promise<SignedAddress | null> {
      const { key } = await find(wanted, number);
      return (await objects.direct?.signGet(key, addressSeconds)) ?? null;
    },
    /** Throws `not_found`, also where the store has lost it. */
    async open(wanted: CacheName, number: number): Promise<Readable> {
      const { key, sizeBytes } = await find(wanted, number);
      const part = await objects.get(key).catch(lostIsAbsent);
      metrics.bytes.inc({ direction: "out" }, sizeBytes);
      return part;
    },
  };
}

interface CachePlace {
  cache: PlanCache;
  epoch: number;
  own: string;
  lookup: store.Lookup;
  use: store.UsePlace;
}

async function place(tx: Transaction, attemptId: string, position: number): Promise<CachePlace> {
  const attempt = await store.findAttempt(tx, attemptId);
  const cache = attempt?.cache[position];
  if (!attempt || !cache) throw new AppError("not_found");
  const { repository_id: repositoryId, trust, ref, default_branch: defaultBranch } = attempt;
  const { own, seen } = cacheScopes({ trust, ref, defaultBranch }, cache.scope);
  const pathsHash = createHash("sha256").update(JSON.stringify(cache.paths.toSorted())).digest("hex");
  return {
    cache,
    epoch: attempt.epoch,
    own,
    lookup: { repositoryId, pathsHash, scopes: seen },
    use: { attemptId, position, repositoryId, pipelineId: attempt.pipeline_id, jobId: attempt.job_id },
  };
}

interface Searched {
  entry: store.FoundRow | undefined;
  saving: SavingCache | null;
}

/**
 * The very key in any scope goes before a beginning in the own one: nothing has to be saved then. One that is being saved is there
 * for the runner that has it; others are told of it.
 */
async function search(
  tx: Transaction,
  { lookup }: CachePlace,
  { key, restore, held }: LookUpCache,
): Promise<Searched> {
  const exact = await store.findExact(tx, lookup, key);
  if (exact) return { entry: exact, saving: null };
  const coming = await store.findSaving(tx, lookup, key);
  // It may have become complete between the two looks.
  const since = coming ? undefined : await store.findExact(tx, lookup, key);
  if (since) return { entry: since, saving: null };
  if (coming && coming.id === held) return { entry: coming, saving: null };
  const saving = coming ? { id: coming.id, job: coming.job, since: coming.since.toISOString() } : null;
  for (const prefix of restore) {
    const newest = await store.findNewest(tx, lookup, prefix);
    if (newest) return { entry: newest, saving };
  }
  return { entry: undefined, saving };
}
