/** Reads the logs of many streams as frames, one stream after the other, a few objects ahead of who uses them. */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { Database } from "../../../../platform/db/database.ts";
import type { ObjectStore } from "../../../../platform/objects/object-store.ts";
import { cutFrame } from "../frame-bytes.ts";
import type { LogReader } from "../reader.ts";
import { readFrames } from "../segment.store.ts";
import type { Place } from "../selection.ts";
import { findSegments, type SegmentPlace } from "./search.store.ts";

export interface PieceSource {
  db: Database;
  objects: ObjectStore;
  reader: LogReader;
}

export interface SearchedStream {
  id: string;
  /** Bytes that are searched. */
  next_offset: number;
}

export interface Piece {
  /** Index of the stream. */
  index: number;
  /** Adjoining; never none. */
  frames: LogFrame[];
}

const streamsAtOnce = 200;
const segmentsAtOnce = 128;
/** Objects that are read at a time. */
const ahead = 4;

/** A segment whose place is known, or what is stored from `offset` on, in chunks or in segments made meanwhile. */
interface Step {
  index: number;
  offset: number;
  segment: SegmentPlace | null;
}

/** From a place on, in order. Rejects with what the database or the store says. */
export async function* readPieces(
  source: PieceSource,
  streams: readonly SearchedStream[],
  from: Place,
): AsyncGenerator<Piece> {
  const steps = planSteps(source, streams, from);
  const started: { step: Step; frames: Promise<LogFrame[]> | null }[] = [];
  let isPlanned = false;
  for (;;) {
    while (!isPlanned && started.length < ahead) {
      const { value: step, done } = await steps.next();
      if (done) isPlanned = true;
      else started.push({ step, frames: step.segment && readAhead(source, step.segment, step.offset) });
    }
    const first = started.shift();
    if (!first) return;
    const { index, offset } = first.step;
    if (first.frames) yield { index, frames: await first.frames };
    else yield* readRest(source, { index, offset, stream: streams[index] });
  }
}

function readAhead({ objects }: PieceSource, segment: SegmentPlace, offset: number): Promise<LogFrame[]> {
  const frames = readFrom(objects, segment, offset);
  // Whoever stops before it gets here does not wait for it.
  frames.catch(() => undefined);
  return frames;
}

async function readFrom(objects: ObjectStore, segment: SegmentPlace, offset: number): Promise<LogFrame[]> {
  const maxBytes = Number.POSITIVE_INFINITY;
  const [first, ...others] = await readFrames(objects, segment, { offset, maxBytes });
  return first ? [cutFrame(first, offset), ...others] : [];
}

async function* readRest(
  { reader }: PieceSource,
  { index, offset, stream }: { index: number; offset: number; stream: SearchedStream | undefined },
): AsyncGenerator<Piece> {
  for (let at = offset; stream && at < stream.next_offset;) {
    const frames = await reader.frames(stream.id, at);
    const last = frames.at(-1);
    if (!last) throw new Error(`log stream ${stream.id} has no bytes at ${at}`);
    yield { index, frames };
    at = last.offset + last.rawLength;
  }
}

async function* planSteps(
  { db }: PieceSource,
  streams: readonly SearchedStream[],
  from: Place,
): AsyncGenerator<Step> {
  let { index, offset } = from;
  while (index < streams.length) {
    const part = streams.slice(index, index + streamsAtOnce);
    const ids = part.map(({ id }) => id);
    const listed = await findSegments(db, ids, { offset, limit: segmentsAtOnce });
    const cutIn = listed.length === segmentsAtOnce ? listed.at(-1)?.stream_id : undefined;
    const segments = Map.groupBy(listed, ({ stream_id: id }) => id);
    const listedFrom = { index, offset };
    for (const stream of part) {
      const begin = offset;
      for (const segment of segments.get(stream.id) ?? []) {
        if (segment.start_offset > offset || offset >= Math.min(segment.end_offset, stream.next_offset))
          continue;
        yield { index, offset, segment };
        offset = segment.end_offset;
      }
      // Its other segments are not listed yet. Where that did not help, what is there is read in another way.
      if (stream.id === cutIn && (index > listedFrom.index || offset > begin)) break;
      if (offset < stream.next_offset) yield { index, offset, segment: null };
      index += 1;
      offset = 0;
    }
  }
}
