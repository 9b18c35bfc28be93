/**
 * The parts of an entry on their way here: from the job that has a lease, or with the token of an entry that was handed over. Each call
 * may be repeated: what is there is not sent again.
 */
import { Readable } from "node:stream";
import type { PartAddress } from "@forgeline/schemas/artifacts/job-messages.ts";
import { partBytes } from "@forgeline/schemas/artifacts/limits.ts";
import type { AnnounceCachePart } from "@forgeline/schemas/caches/job-messages.ts";
import type { CacheLimits } from "../../../config/caches.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { checkedBytes } from "../../hosting/domain.ts";
import { cachePartKey } from "./cache-part-key.ts";
import { makeRoom, requireUploadRoom } from "./cache-room.ts";
import * as store from "./cache.store.ts";
import type { JobCacheDeps } from "./job-caches.ts";

/** Names an entry for whoever may send it: its attempt while that has its lease, or the token that was given for it. */
export type UploadName = store.UploadName;

export const addressSeconds = 15 * 60;
const checkedAtOnce = 8;

export function createCacheUploads({ db, objects, limits, metrics }: JobCacheDeps) {
  async function isStored(cache: store.CacheUploadRow, part: AnnounceCachePart): Promise<boolean> {
    return (await objects.head(cachePartKey(cache, part)))?.sizeBytes === part.size_bytes;
  }

  return {
    /** Where to send a part. Throws `not_found`, `validation_failed` for one that is too large, `quota_exceeded`. */
    async announce(upload: UploadName, part: AnnounceCachePart): Promise<PartAddress> {
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
      upload: UploadName,
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
    async complete(upload: UploadName, count: number): Promise<{ saved: boolean }> {
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
  };
}

async function lock(tx: Transaction, upload: UploadName): Promise<store.CacheUploadRow> {
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
  upload: UploadName;
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
