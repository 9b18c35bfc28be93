/**
 * Moves sealed chunks to object storage: 256 KiB at a time while a stream grows, the rest once it has ended. Any number of
 * servers may do it at once. The object is written first, and then its row replaces the chunks in one statement; of two movers,
 * one finds the chunks gone and removes its object. A crash between the two leaves an object without a row, which is harmless.
 */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { Database } from "../../../platform/db/database.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { findMovable, readChunks, readTail } from "./chunk.store.ts";
import { packFrames } from "./pack-frames.ts";
import { replaceChunks, storeSegment } from "./segment.store.ts";

export const segmentBytes = 256 * 1024;
const sweepMs = 15_000;
/** Streams moved at once by one server. */
const parallel = 2;

export interface LogMover {
  /** A stream of this process gained stored bytes. */
  grew(streamId: string, storedBytes: number): void;
  ended(streamId: string): void;
  /** Sweeps at intervals, until closed. */
  start(): void;
  /** Looks for streams that other processes left. */
  sweep(): Promise<void>;
  /** Resolves when nothing is being moved. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface LogMoverDeps {
  db: Database;
  objects: ObjectStore;
  logger: Logger;
}

export function createLogMover(deps: LogMoverDeps): LogMover {
  const unsealed = new Map<string, number>();
  const due = new Set<string>();
  const moving = new Map<string, Promise<void>>();
  let closed = false;

  function moveNext(): void {
    for (const streamId of due) {
      if (closed || moving.size >= parallel) return;
      if (moving.has(streamId)) continue;
      due.delete(streamId);
      const move = moveStream(deps, streamId)
        .catch((error: unknown) =>
          deps.logger.warn(
            { streamId, error: (error as Error).message },
            "could not store a log segment; trying again later",
          ),
        )
        .finally(() => {
          moving.delete(streamId);
          moveNext();
        });
      moving.set(streamId, move);
    }
  }

  async function sweep(): Promise<void> {
    for (const streamId of await findMovable(deps.db, segmentBytes)) due.add(streamId);
    moveNext();
  }

  let timer: NodeJS.Timeout | undefined;
  const sweepOrWarn = () => {
    sweep().catch((error: unknown) =>
      deps.logger.warn({ error: (error as Error).message }, "could not look for log chunks to move"),
    );
  };

  const idle = async () => {
    while (moving.size > 0) await Promise.all(moving.values());
  };

  return {
    grew(streamId, storedBytes) {
      const total = (unsealed.get(streamId) ?? 0) + storedBytes;
      unsealed.set(streamId, total);
      if (total < segmentBytes) return;
      unsealed.delete(streamId);
      due.add(streamId);
      moveNext();
    },
    ended(streamId) {
      unsealed.delete(streamId);
      due.add(streamId);
      moveNext();
    },
    start() {
      timer ??= setInterval(sweepOrWarn, sweepMs).unref();
    },
    sweep,
    idle,
    async close() {
      closed = true;
      clearInterval(timer);
      await idle();
    },
  };
}

async function moveStream(deps: LogMoverDeps, streamId: string): Promise<void> {
  for (;;) {
    const next = await nextSegment(deps.db, streamId);
    if (!next) return;
    const segment = await storeSegment(deps.objects, streamId, packFrames(next));
    crashPoint("log.segment-stored-before-row");
    if (!(await replaceChunks(deps.db, streamId, { segment, chunkCount: next.length }))) {
      await deps.objects.delete(segment.objectKey);
      return;
    }
  }
}

/** Chunks of the next segment: a full one, or what is left of an ended stream. */
async function nextSegment(db: Database, streamId: string): Promise<LogFrame[] | undefined> {
  const state = await readTail(db, streamId);
  if (!state || state.first === null) return undefined;
  if (!state.ended && (state.stored ?? 0) < segmentBytes) return undefined;
  const frames = await readChunks(db, streamId, { offset: state.first, maxBytes: segmentBytes });
  return frames.length > 0 ? frames : undefined;
}
