/** Reads a stream as frames, from chunks and segments; callers do not see where bytes are stored. */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { readChunks } from "./chunk.store.ts";
import { cutFrame, rawBytes } from "./frame-bytes.ts";
import { readSegment } from "./segment.store.ts";

const readBytes = 256 * 1024;

export interface LogReader {
  /** Adjoining frames, the first of which starts exactly at `offset`; [] if there is nothing (yet). */
  frames(streamId: string, offset: number, maxBytes?: number): Promise<LogFrame[]>;
  /** Raw bytes of `[start, end)`, in order, a few hundred KiB in memory at a time. Throws if they end early. */
  bytes(streamId: string, start: number, end: number): AsyncGenerator<Buffer>;
  sha256(streamId: string, length: number): Promise<string>;
}

export function createLogReader(deps: { db: Database; objects: ObjectStore }): LogReader {
  async function frames(streamId: string, offset: number, maxBytes = readBytes): Promise<LogFrame[]> {
    const found = await readChunks(deps.db, streamId, { offset, maxBytes });
    const first = found[0];
    if (first && first.offset <= offset) return [cutFrame(first, offset), ...found.slice(1)];
    // Chunks only become segments, so frames not found in chunks are found here, or do not exist yet.
    const [sealed, ...rest] = await readSegment(deps, streamId, { offset, maxBytes });
    return sealed ? [cutFrame(sealed, offset), ...rest] : [];
  }

  async function* bytes(streamId: string, start: number, end: number): AsyncGenerator<Buffer> {
    let at = start;
    while (at < end) {
      const found = await frames(streamId, at);
      if (found.length === 0) throw new Error(`log stream ${streamId} has no bytes at ${at}`);
      for (const frame of found) {
        if (at >= end) return;
        const raw = rawBytes(frame);
        yield raw.subarray(0, end - at);
        // A batch of well compressed frames may be 30 MiB, which a fast reader would take in one turn of the event loop.
        await nextTurn();
        at = frame.offset + raw.length;
      }
    }
  }

  return {
    frames,
    bytes,
    async sha256(streamId, length) {
      const hash = createHash("sha256");
      for await (const part of bytes(streamId, 0, length)) hash.update(part);
      return hash.digest("hex");
    },
  };
}
