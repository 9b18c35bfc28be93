/**
 * Caches for the runner that has an attempt. The server decides the scope, by the run and its trust; the runner only gives keys. Each
 * call may be repeated: what is there is not sent again.
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { PartAddress } from "@forgeline/schemas/artifacts/job-messages.ts";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import type {
  AnnounceCachePart,
  BeginCache,
  BegunCache,
  LookedUpCache,
  LookUpCache,
} from "@forgeline/schemas/caches/job-messages.ts";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import type { CacheLimits } from "../../../config/caches.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { ObjectStore, SignedAddress } from "../../../platform/objects/object-store.ts";
import { checkedBytes } from "../../hosting/domain.ts";
import { cachePartKey } from "./cache-part-key.ts";
import { makeRoom, requireUploadRoom } from "./cache-room.ts";
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

const addressSeconds = 15 * 60;
const checkedAtOnce = 8;

export function createJobCaches({ db, objects, limits, metrics }: JobCacheDeps) {
  const unpacked = { bytes: limits.unpackedBytes, entries: limits.files };

  async function find(wanted: CacheName, number: number): Promise<{ key: string; sizeBytes: number }> {
    const cache = await store.findForJob(db, wanted);
    const sha256 = cache?.parts[number];
    if (!cache || sha256 === undefined) throw new AppError("not_found");
    return { key: cachePartKey(cache, { number, sha256 }), sizeBytes: cache.part_bytes[number] ?? 0 };
  }

  async function isStored(cache: store.CacheUploadRow, part: AnnounceCachePart): Promise<boolean> {
    return (await objects.head(cachePartKey(cache, part)))?.sizeBytes === part.size_bytes;
  }

  return {
    /** The entry of the key, else the newest of the first beginning that has any. Throws `not_found` without a lease or such a cache. */
    lookUp(attemptId: string, wanted: LookUpCache): Promise<LookedUpCache> {
      return db.transaction(async (tx) => {
        const at = await place(tx, attemptId, wanted.position);
        const entry = await search(tx, at, wanted);
        await store.recordLookup(tx, at.use, { key: wanted.key, entry });
        const exact = entry?.key === wanted.key;
        metrics.lookups.inc({ outcome: entry ? (exact ? "exact" : "prefix") : "none" });
        if (!entry) return { found: null, limits: unpacked };
        metrics.restoredBytes.inc(entry.size_bytes);
        const { id, key, size_bytes } = entry;
        const parts = entry.parts.map((sha256, i) => ({ sha256, size_bytes: entry.part_bytes[i] ?? 0 }));
        return { found: { id, key, exact, size_bytes, parts }, limits: unpacked };
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
        return { id: id ?? null, limits: unpacked };
      });
    },
    /** Where to send a part. Throws `not_found`, `validation_failed` for one that is too large, `quota_exceeded`. */
    async announce(upload: CacheName, part: AnnounceCachePart): Promise<PartAddress> {
      const { cache, isKnown } = await db.transaction(async (tx) => {
        const found = await lock(tx, upload);
        const known = found.parts[part.number] === part.sha256;
        if (!known) await keepPart(tx, limits, { cache: found, part });
        return { cache: found, isKnown: known };
      });
      if (isKnown && (await isStored(cache, part))) return { stored: true, direct: null };
      const content = { sizeBytes: part.size_bytes, sha256: part.sha256 };
      const direct = await objects.direct?.signPut(cachePartKey(cache, part), content, addressSeconds);
      return { stored: false, direct: direct ?? null };
    },
    /** Bytes of an announced part. Throws `not_found`, `validation_failed` for other bytes, which leave nothing behind. */
    async receive(
      upload: CacheName,
      part: Pick<AnnounceCachePart, "number" | "sha256">,
      source: AsyncIterable<Buffer>,
    ): Promise<void> {
      const cache = await db.transaction((tx) => lock(tx, upload));
      const sizeBytes = cache.part_bytes[part.number];
      if (cache.parts[part.number] !== part.sha256 || sizeBytes === undefined)
        throw new AppError("not_found");
      const bytes = checkedBytes(source, { oid: part.sha256, sizeBytes });
      await objects.put(cachePartKey(cache, part), Readable.from(bytes, { objectMode: false }));
      metrics.bytes.inc({ direction: "in" }, sizeBytes);
    },
    /** All parts are there: from now on others see it. `saved` is false where another job was faster. */
    async complete(upload: CacheName, count: number): Promise<{ saved: boolean }> {
      const cache = await db.transaction((tx) => lock(tx, upload));
      if (cache.saved) return { saved: true };
      await requireParts(cache, count, (part) => isStored(cache, part));
      const saved = await db.transaction((tx) => saveEntry(tx, limits, { upload, count, seen: cache.parts }));
      if (saved === null) return { saved: false };
      metrics.saved.inc();
      metrics.savedBytes.inc(saved.sizeBytes);
      metrics.removed.inc({ why: "quota" }, saved.removed);
      return { saved: true };
    },
    /** Where the store itself gives the part; null: it is fetched from here. Throws `not_found`. */
    async addressOf(wanted: CacheName, number: number): Promise<SignedAddress | null> {
      const { key } = await find(wanted, number);
      return (await objects.direct?.signGet(key, addressSeconds)) ?? null;
    },
    /** Throws `not_found`, also where the store has lost it. */
    async open(wanted: CacheName, number: number): Promise<Readable> {
      const { key, sizeBytes } = await find(wanted, number);
      const part = await objects.get(key);
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

/** The very key in any scope goes before a beginning in the own one: nothing has to be saved then. */
async function search(tx: Transaction, { lookup }: CachePlace, { key, restore }: LookUpCache) {
  const exact = await store.findExact(tx, lookup, key);
  if (exact) return exact;
  for (const prefix of restore) {
    const newest = await store.findNewest(tx, lookup, prefix);
    if (newest) return newest;
  }
  return undefined;
}

async function lock(tx: Transaction, upload: CacheName): Promise<store.CacheUploadRow> {
  const found = await store.lockUpload(tx, upload);
  if (!found) throw new AppError("not_found");
  return found;
}

/** What is announced once more is counted once more: nobody fills the store with it. */
async function keepPart(
  tx: Transaction,
  limits: CacheLimits,
  { cache, part }: { cache: store.CacheUploadRow; part: AnnounceCachePart },
): Promise<void> {
  if (cache.saved) throw new AppError("not_found");
  const sizeBytes = cache.size_bytes + part.size_bytes;
  const most = Math.min(limits.storedBytes, limits.repositoryBytes);
  if (sizeBytes > most)
    throw new AppError("validation_failed", {
      message: `A cache can have at most ${most} bytes when it is compressed.`,
    });
  await requireUploadRoom(tx, limits, { repositoryId: cache.repository_id, bytes: part.size_bytes });
  const length = Math.max(cache.parts.length, part.number + 1);
  const parts = Array.from({ length }, (_, i) => cache.parts[i] ?? "").with(part.number, part.sha256);
  const sizes = Array.from({ length }, (_, i) => cache.part_bytes[i] ?? 0).with(part.number, part.size_bytes);
  await store.keepParts(tx, cache.id, { parts, partBytes: sizes, sizeBytes });
}

interface Completed {
  upload: CacheName;
  count: number;
  /** The parts whose bytes were looked for. */
  seen: readonly string[];
}

/** null where there is one with this key by now. Throws `conflict` where its parts have changed meanwhile. */
async function saveEntry(
  tx: Transaction,
  limits: CacheLimits,
  { upload, count, seen }: Completed,
): Promise<{ sizeBytes: number; removed: number } | null> {
  const cache = await lock(tx, upload);
  const { repository_id: repositoryId, attempt_id: attemptId, pipeline_id: pipelineId, position } = cache;
  await store.lockRoom(tx, repositoryId);
  if (cache.parts.length !== seen.length || cache.parts.some((part, i) => part !== seen[i]))
    throw new AppError("conflict", { message: "The cache was changed meanwhile." });
  const sizes = cache.part_bytes.slice(0, count);
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
  if (await store.isSaved(tx, cache)) {
    await store.removeUpload(tx, cache.id);
    return null;
  }
  const removed = await makeRoom(tx, limits, { repositoryId, bytes: sizeBytes });
  await store.save(tx, cache.id, { parts: cache.parts.slice(0, count), partBytes: sizes, sizeBytes });
  const use = { attemptId, position, repositoryId, pipelineId, jobId: cache.job_id };
  await store.recordSaved(tx, use, { key: cache.key, id: cache.id, sizeBytes });
  return { sizeBytes, removed };
}

/** Each is whole and there; all but the last one are full. */
async function requireParts(
  cache: store.CacheUploadRow,
  count: number,
  isThere: (part: AnnounceCachePart) => Promise<boolean>,
): Promise<void> {
  const wanted = Array.from({ length: count }, (_, number) => number).entries();
  const worker = async () => {
    for (const [number] of wanted) {
      const [sha256, size] = [cache.parts[number] ?? "", cache.part_bytes[number] ?? 0];
      const isWhole = sha256 !== "" && (number === count - 1 || size === partBytes);
      if (!isWhole || !(await isThere({ number, sha256, size_bytes: size })))
        throw new AppError("validation_failed", { message: `Part ${number} is missing.` });
    }
  };
  await Promise.all(Array.from({ length: checkedAtOnce }, worker));
}
