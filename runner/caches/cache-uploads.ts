/**
 * Caches that jobs of this runner have left on its disk, and that it sends while the jobs go on and end. One after the other, within the time
 * that the server gives, and gone with this process: what is not sent then was never saved.
 */
import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ArtifactConnection } from "../artifacts/artifact-connection.ts";
import { crashPoint } from "../crash-point.ts";
import { takeSnapshot, type CacheSnapshot, type SnapshotSource } from "./cache-snapshot.ts";
import { compressed } from "./compression.ts";
import { sendCache } from "./transfer-cache.ts";

export interface CacheUpload {
  id: string;
  key: string;
  snapshot: CacheSnapshot;
  /** With the token of the entry. Closed afterwards. */
  connection: ArtifactConnection;
  /** How long the token is good for. */
  forMs: number;
  /** Aborted where the job is stopped before its end. */
  stopped: AbortSignal;
  logger: Logger;
}

export interface HeldArchive {
  sizeBytes: number;
  file: FileHandle;
}

export interface CacheUploads {
  /** As `takeSnapshot`, of the entry with this id. */
  take(id: string, source: SnapshotSource): Promise<CacheSnapshot>;
  /** Sends one that is whole, and removes it. */
  send(upload: CacheUpload): void;
  /** What is still being sent, as it was taken; null where it is not here. The caller closes it. */
  open(id: string): Promise<HeldArchive | null>;
  /** Resolves when nothing is being sent any more. */
  idle(): Promise<void>;
  /** Gives up all of them, for the disk or the end of the runner. */
  clear(): Promise<void>;
}

export interface CacheUploadsOptions {
  /** Belongs to the uploads alone. */
  directory: string;
  /** Of all of them together. */
  maxBytes: number;
  minFreeBytes: number;
}

/** With more, jobs wait until theirs is sent. */
const mostAtOnce = 8;

export async function openCacheUploads(options: CacheUploadsOptions): Promise<CacheUploads> {
  const { directory, maxBytes, minFreeBytes } = options;
  // Of a process that died.
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const uploads = new Map<string, CacheUpload>();
  const taking = new Set<string>();
  let stop = new AbortController();
  let last: Promise<void> = Promise.resolve();
  const pathOf = (id: string) => join(directory, `${id}.tar`);

  function roomLeft(): number {
    if (uploads.size + taking.size >= mostAtOnce) return 0;
    const used = [...uploads.values()].reduce((sum, { snapshot }) => sum + snapshot.sizeBytes, 0);
    return Math.max(0, maxBytes - used) / (taking.size + 1);
  }

  async function sendOne({ id, snapshot, connection, ...upload }: CacheUpload, signal: AbortSignal) {
    const { key, logger } = upload;
    try {
      signal.throwIfAborted();
      crashPoint("cache.handed-over-before-sent");
      const sent = await sendCache({ connection, signal }, id, compressed(snapshot.pieces()));
      await connection.kept?.keepArchive(sent.parts, snapshot.path);
      logger.info({ cache_id: id, key, size_bytes: sent.sizeBytes, saved: sent.saved }, "a cache was sent");
    } catch (error) {
      logger.warn({ err: error, cache_id: id, key }, "a cache could not be sent and is not saved");
    } finally {
      uploads.delete(id);
      connection.close();
      await snapshot.remove();
    }
  }

  return {
    async take(id, source) {
      const room = { maxBytes: roomLeft(), minFreeBytes };
      taking.add(id);
      try {
        await rm(pathOf(id), { force: true });
        return await takeSnapshot(pathOf(id), source, room);
      } finally {
        taking.delete(id);
      }
    },
    send(upload) {
      uploads.set(upload.id, upload);
      const signal = AbortSignal.any([stop.signal, upload.stopped, AbortSignal.timeout(upload.forMs)]);
      last = last.then(() => sendOne(upload, signal));
    },
    async open(id) {
      const upload = uploads.get(id);
      if (!upload) return null;
      // The end of the upload takes its name only.
      const file = await open(pathOf(id)).catch(() => null);
      return file && { sizeBytes: upload.snapshot.sizeBytes, file };
    },
    async idle() {
      while (uploads.size > 0) await last;
    },
    async clear() {
      stop.abort(new Error("the runner gave it up"));
      stop = new AbortController();
      await last;
    },
  };
}
