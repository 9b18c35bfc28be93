/** Caches of a job: what it starts with, and what it leaves for later runs. Nothing here ends a job: what goes wrong is a warning. */
import type { FileHandle } from "node:fs/promises";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import { CacheError } from "../caches/cache-error.ts";
import { cacheKeys } from "../caches/cache-keys.ts";
import { cacheLine } from "../caches/cache-lines.ts";
import { cacheTree } from "../caches/cache-tree.ts";
import { compressed, decompressed } from "../caches/compression.ts";
import { hashFiles } from "../caches/hash-files.ts";
import { packCache, packIntoFile, type PackedCache } from "../caches/pack-cache.ts";
import {
  beginCache,
  fetchCache,
  handOverCache,
  sendCache,
  type CacheTransfer,
} from "../caches/transfer-cache.ts";
import type { CacheUploads } from "../caches/cache-uploads.ts";
import { readArchive } from "../caches/cache-snapshot.ts";
import { unpackCache, unpackFile } from "../caches/unpack-cache.ts";
import type { ContainerFiles } from "../engine/container-files.ts";
import type { JobEnvironment } from "../engine/engine.ts";
import { messageOf } from "../message-of.ts";
import type { JobContext, PreparedJob } from "./job-context.ts";
import { decidingStep } from "./run-steps.ts";
import { findCache, type SearchedCache } from "./find-cache.ts";
import { stepContexts } from "./step-contexts.ts";
import { warn } from "./warn.ts";

/** Evaluates the keys, while the checkout still belongs to the runner. */
export async function nameCaches(job: JobContext, environment: JobEnvironment): Promise<void> {
  const caches = job.spec.job.cache ?? [];
  if (caches.length === 0) return;
  const contexts = stepContexts(job);
  const named: NonNullable<JobContext["record"]["caches"]> = [];
  for (const cache of caches) {
    const keys = await forgiving(job, `Cache ${cache.key}`, () =>
      cacheKeys(cache, contexts, async (globs) => {
        const { hash, leftOut } = await hashFiles(environment.workspaceDir, globs, job.stop.asked);
        if (hash === "")
          warn(job.record, `Cache ${cache.key}: no file matches hashFiles(${globs.join(", ")})`);
        if (leftOut.length > 0) warn(job.record, `Cache ${cache.key}: left out ${leftOut.join(", ")}`);
        return hash;
      }),
    );
    named.push(keys ? { ...keys, isThere: false } : null);
  }
  job.record.caches = named;
}

/** Into the container, once the workspace belongs to the image's user. */
export function restoreCaches(job: JobContext, environment: JobEnvironment): Promise<void> {
  const { asked: signal } = job.stop;
  return eachCache(job, signal, async (cache, position, transfer) => {
    const named = job.record.caches?.[position];
    if (!named || cache.policy === "push") return;
    await forgiving(job, `Cache ${named.key} could not be restored`, async () => {
      const opening = openFiles(environment, signal);
      const wanted = { position, key: named.key, restore: named.restore };
      const { found, limits, held } = await findCache(job, transfer, wanted);
      const sizeBytes = held?.sizeBytes ?? found?.size_bytes ?? 0;
      const isSaved = cache.policy !== "pull";
      job.setup.line(cacheLine({ ...named, found: found && { ...found, sizeBytes }, isSaved }));
      if (!found) return;
      await using archive = await archiveOf(transfer, { found, held });
      const files = await opening;
      const tree = treeOf(job, cache, files);
      const into = { files, tree, limits, signal };
      if (archive === null || !(await unpackFile(archive, into)))
        await unpackCache(archive ? readArchive(archive) : decompressed(fetchCache(transfer, found)), into);
      named.isThere = found.exact;
    });
  });
}

/** While the server is asked. */
function openFiles(environment: JobEnvironment, signal: AbortSignal): Promise<ContainerFiles> {
  const opening = environment.files(signal);
  opening.catch(() => undefined);
  return opening;
}

/** All of it, where this runner has it on its disk. The caller closes it. */
async function archiveOf(
  { connection }: CacheTransfer,
  { found, held }: Pick<SearchedCache, "found" | "held">,
): Promise<FileHandle | null> {
  if (held) return held.file;
  return (await connection.kept?.findArchive(found?.parts.map(({ sha256 }) => sha256) ?? [])) ?? null;
}

/** After the steps, if they succeeded. May run again after a restart of the agent. */
export function saveCaches(job: PreparedJob): Promise<void> {
  if (job.stop.request !== null || decidingStep(job) !== null) return Promise.resolve();
  const { asked: signal } = job.stop;
  return eachCache(job, signal, async (cache, position, transfer) => {
    const named = job.record.caches?.[position];
    if (!named || named.isThere || cache.policy === "pull") return;
    await forgiving(job, `Cache ${named.key} could not be saved`, async () => {
      const opening = openFiles(job.environment, signal);
      const { id, limits, hand_over } = await beginCache(transfer, { position, key: named.key });
      if (id !== null) {
        const files = await opening;
        const leftOut: string[] = [];
        const packed = { files, tree: treeOf(job, cache, files), limits, signal, leftOut };
        const leaving = { id, key: named.key, packed, transfer };
        if (hand_over && job.uploads) await leaveToUploads(job, job.uploads, leaving);
        else await sendCache(transfer, id, compressed(packCache(packed)));
        if (leftOut.length > 0)
          warn(job.record, `Cache ${named.key}: left out ${leftOut.join(", ")}, neither files nor links`);
      }
      named.isThere = true;
      await job.save();
    });
  });
}

interface LeftCache {
  id: string;
  key: string;
  packed: PackedCache;
  transfer: CacheTransfer;
}

/** The job goes on once all of it is on the runner's disk. Where there is no room, it waits until the cache is sent. */
async function leaveToUploads(
  job: JobContext,
  uploads: CacheUploads,
  { id, key, packed, transfer }: LeftCache,
): Promise<void> {
  const snapshot = await uploads.take(id, {
    pieces: packCache(packed),
    intoFile: (file, full) => packIntoFile(packed, file, full),
  });
  try {
    if (!snapshot.isWhole) {
      await sendCache(transfer, id, compressed(snapshot.pieces()));
      return await snapshot.remove();
    }
    const { token, for_ms: forMs } = await handOverCache(transfer, id);
    const connection = job.openFiles({ ...job.spec, token }, "cacheUploads");
    const { logger, stop } = job;
    uploads.send({ id, key, snapshot, connection, forMs, stopped: stop.asked, logger });
  } catch (error) {
    await snapshot.remove();
    throw error;
  }
}

type Work = (cache: PlanCache, position: number, transfer: CacheTransfer) => Promise<void>;

async function eachCache(job: JobContext, signal: AbortSignal, work: Work): Promise<void> {
  const caches = job.spec.job.cache ?? [];
  if (caches.length === 0) return;
  const connection = job.openFiles(job.spec, "caches");
  try {
    for (const [position, cache] of caches.entries()) await work(cache, position, { connection, signal });
  } finally {
    connection.close();
  }
}

/** A variable of the job's file goes before what the image says. */
function treeOf({ spec }: JobContext, { paths }: PlanCache, { user }: ContainerFiles) {
  const home = spec.job.env["HOME"] ?? spec.env["HOME"] ?? user.home;
  return cacheTree(paths, home.startsWith("/") ? home : user.home);
}

/** undefined where it did not work, which is told; a job that is being stopped has other news. */
async function forgiving<T>(job: JobContext, what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (job.stop.asked.aborted) return undefined;
    if (!(error instanceof CacheError)) job.logger.warn({ err: error }, "a cache failed");
    const text = `${what}: ${messageOf(error)}`;
    warn(job.record, text);
    job.setup.line(text);
    return undefined;
  }
}
