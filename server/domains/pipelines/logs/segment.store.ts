/**
 * Segments: sealed stretches of a stream as objects. An object is a row of log frames as `encodeLogFrame` makes
 * them; the row in `log_segments` says how long each is, so that a read fetches only the frames that it needs.
 */
import { randomBytes } from "node:crypto";
import { decodeLogFrame, encodeLogFrame, type LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { ObjectNotFound, type ObjectStore } from "../../../platform/objects/object-store.ts";
import { linesBegun } from "./frame-bytes.ts";
import { lostFrames, type Block } from "./lost-frames.ts";
import type { SegmentRows } from "./segment.rows.ts";

export const statements = defineStatements<SegmentRows>({
  replaceChunks: `
    with found as (
      select start_offset from log_chunks
       where stream_id = $1 and start_offset >= $2 and start_offset < $3 for update
    ), gone as (
      delete from log_chunks
       where stream_id = $1 and start_offset >= $2 and start_offset < $3
         and (select count(*) from found) = $9
      returning start_offset
    ), added as (
      insert into log_segments
        (stream_id, start_offset, end_offset, first_line, next_line, object_key, stored_bytes, index)
      select $1, $2, $3, $4, $5, $6, $7, $8 where (select count(*) from gone) = $9
      returning stream_id
    )
    select exists (select from added) as moved`,
  readSegment: `
    select start_offset, next_line, object_key, index from log_segments
     where stream_id = $1 and start_offset <= $2 and end_offset > $2
     order by start_offset desc limit 1`,
  findPlaceOfLine: `
    select start_offset, index from (
      (select start_offset, null::jsonb as index from log_chunks where stream_id = $1 and first_line <= $2
        order by start_offset desc limit 1)
      union all
      (select start_offset, index from log_segments where stream_id = $1 and first_line <= $2
        order by start_offset desc limit 1)
    ) places order by start_offset desc limit 1`,
});

export interface Segment {
  objectKey: string;
  startOffset: number;
  endOffset: number;
  firstLine: number;
  nextLine: number;
  storedBytes: number;
  index: Block[];
}

/** Stores adjoining frames as an object under a key of its own; without its row nobody finds it. */
export async function storeSegment(
  objects: ObjectStore,
  streamId: string,
  frames: readonly LogFrame[],
): Promise<Segment> {
  const first = frames[0];
  const last = frames.at(-1);
  if (!first || !last) throw new RangeError("a segment needs frames");
  const encoded = frames.map((frame) => encodeLogFrame({ ...frame, channel: 0 }));
  const body = Buffer.concat(encoded);
  const offset = String(first.offset).padStart(12, "0");
  const objectKey = `logs/${streamId}/${offset}-${randomBytes(6).toString("hex")}`;
  await objects.put(objectKey, body);
  return {
    objectKey,
    startOffset: first.offset,
    endOffset: last.offset + last.rawLength,
    firstLine: first.firstLine,
    nextLine: last.firstLine + linesBegun(last.timeRuns),
    storedBytes: body.length,
    index: frames.map((frame, i) => ({
      raw: frame.rawLength,
      stored: encoded[i]?.length ?? 0,
      line: frame.firstLine,
    })),
  };
}

/**
 * Replaces the chunks by the segment's row, in one transaction. False, and nothing changed, if the chunks have changed (another
 * server moved them).
 */
export async function replaceChunks(
  db: Database,
  streamId: string,
  { segment, chunkCount }: { segment: Segment; chunkCount: number },
): Promise<boolean> {
  const row = await db.one(statements.replaceChunks, [
    streamId,
    segment.startOffset,
    segment.endOffset,
    segment.firstLine,
    segment.nextLine,
    segment.objectKey,
    segment.storedBytes,
    JSON.stringify(segment.index),
    chunkCount,
  ]);
  return row?.moved === true;
}

type SegmentRow = SegmentRows["readSegment"];

/**
 * Frames from the one that contains `offset` on, about `maxBytes` stored bytes of one segment; [] if none. For a segment whose
 * object is lost: as many bytes and lines that say so.
 */
export async function readSegment(
  source: { db: Queryable; objects: ObjectStore },
  streamId: string,
  { offset, maxBytes }: { offset: number; maxBytes: number },
): Promise<LogFrame[]> {
  const row = await source.db.one(statements.readSegment, [streamId, offset]);
  return row ? readFrames(source.objects, row, { offset, maxBytes }) : [];
}

/** As `readSegment`, of a segment whose row is known. */
export async function readFrames(
  objects: ObjectStore,
  row: SegmentRow,
  { offset, maxBytes }: { offset: number; maxBytes: number },
): Promise<LogFrame[]> {
  const wanted = wantedBlocks(row, offset, maxBytes);
  const bytes = await readOrLost(objects, row.object_key, wanted.range);
  if (!bytes)
    return lostFrames({ startOffset: row.start_offset, nextLine: row.next_line, index: row.index }, offset);
  const frames: LogFrame[] = [];
  let at = 0;
  for (const block of wanted.blocks) {
    frames.push(decodeLogFrame(bytes.subarray(at, at + block.stored)));
    at += block.stored;
  }
  return frames;
}

async function readOrLost(
  objects: ObjectStore,
  key: string,
  range: { start: number; end: number },
): Promise<Buffer | undefined> {
  try {
    return await objects.read(key, range);
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined;
    throw error;
  }
}

function wantedBlocks(row: SegmentRow, offset: number, maxBytes: number) {
  const blocks: Block[] = [];
  let rawEnd = row.start_offset;
  let start = 0;
  let length = 0;
  for (const block of row.index) {
    rawEnd += block.raw;
    if (rawEnd <= offset) {
      start += block.stored;
    } else if (length === 0 || length + block.stored <= maxBytes) {
      blocks.push(block);
      length += block.stored;
    } else break;
  }
  return { blocks, range: { start, end: start + length } };
}

/** `index` is that of a segment; null of a chunk. */
type PlaceRow = SegmentRows["findPlaceOfLine"];

/**
 * Where to start reading to see line `line`: the last stored frame that begins at or before it. A segment of empty lines holds
 * millions, so its beginning would not do.
 */
export async function findPlaceOfLine(db: Queryable, streamId: string, line: number): Promise<number> {
  const row = await db.one(statements.findPlaceOfLine, [streamId, line]);
  return row ? frameOfLine(row, line) : 0;
}

function frameOfLine({ start_offset: start, index }: PlaceRow, line: number): number {
  let [found, at] = [start, start];
  for (const block of index ?? []) {
    if (block.line > line) break;
    found = at;
    at += block.raw;
  }
  return found;
}
