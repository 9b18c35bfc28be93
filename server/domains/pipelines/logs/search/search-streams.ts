/** Searches streams within limits of bytes, time and matches, and says where to go on. */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { AppError } from "../../../../platform/app-error.ts";
import type { ThreadPool } from "../../../../platform/thread-pool.ts";
import type { Place } from "../selection.ts";
import type { Wanted } from "./find-words.ts";
import { readPieces, type PieceSource, type SearchedStream } from "./pieces.ts";
import type { Carry, ScanHit, ScanResult, ScanTask } from "./scan-frames.ts";

export type ScanPool = ThreadPool<ScanTask, ScanResult>;

export const stopReasons = ["matches", "bytes", "time"] as const;
export type StopReason = (typeof stopReasons)[number];

/** What one request may still use; shared by the runs that it searches. */
export interface SearchBudget {
  matches: number;
  bytes: number;
  /** As `performance.now()`. */
  untilMs: number;
  /** The client is gone. */
  signal: AbortSignal;
}

export interface StreamSearch {
  streams: readonly (SearchedStream & { ended: boolean })[];
  from: Place;
  wanted: Wanted;
}

export interface FoundHit {
  index: number;
  hit: ScanHit;
}

export interface SearchEnd {
  hits: FoundHit[];
  /** Null when everything was searched. */
  stopped: { why: StopReason; at: Place } | null;
}

/** Small enough that searches take turns, large enough that handing it over costs little. */
const batchBytes = 2 * 1024 * 1024;

/** Takes from `budget` what it uses. Throws `unavailable` where the client is gone, or a thread does not answer. */
export async function searchStreams(
  deps: PieceSource & { threads: ScanPool },
  { streams, from, wanted }: StreamSearch,
  budget: SearchBudget,
): Promise<SearchEnd> {
  const hits: FoundHit[] = [];
  let carry: Carry | null = null;
  let index = from.index;
  for await (const piece of readPieces(deps, streams, from)) {
    if (piece.index !== index) carry = null;
    index = piece.index;
    for (const frames of batchesOf(piece.frames)) {
      const end = endOf(frames);
      const stream = streams[index];
      const isEnd = stream !== undefined && stream.ended && end >= stream.next_offset;
      const task: ScanTask = { ...pack(frames), carry, isEnd, wanted, limit: budget.matches };
      const result = await scan(deps.threads, task, budget.signal);
      hits.push(...result.hits.map((hit) => ({ index, hit })));
      budget.matches -= result.hits.length;
      budget.bytes -= end - (frames[0]?.offset ?? end);
      carry = result.carry;
      const last = result.hits.at(-1);
      if (budget.matches <= 0 && last)
        return { hits, stopped: { why: "matches", at: { index, offset: last.end } } };
      const why = budget.bytes <= 0 ? "bytes" : performance.now() >= budget.untilMs ? "time" : null;
      if (why) return { hits, stopped: { why, at: { index, offset: carry?.offset ?? end } } };
    }
  }
  return { hits, stopped: null };
}

async function scan(threads: ScanPool, task: ScanTask, signal: AbortSignal): Promise<ScanResult> {
  if (signal.aborted) throw new AppError("unavailable");
  const result = await threads.run(task, [task.payloads.buffer as ArrayBuffer]);
  if (!result)
    throw new AppError("unavailable", { message: "The server is too busy to search logs now. Try again." });
  return result;
}

function* batchesOf(frames: readonly LogFrame[]): Generator<LogFrame[]> {
  let batch: LogFrame[] = [];
  let size = 0;
  for (const frame of frames) {
    batch.push(frame);
    size += frame.rawLength;
    if (size < batchBytes) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function endOf(frames: readonly LogFrame[]): number {
  const last = frames.at(-1);
  return last ? last.offset + last.rawLength : 0;
}

/** The payloads in memory of their own: a frame may be a part of a much larger buffer, all of which would go with it. */
function pack(frames: readonly LogFrame[]): Pick<ScanTask, "payloads" | "frames"> {
  const length = frames.reduce((sum, { payload }) => sum + payload.length, 0);
  const payloads = new Uint8Array(length);
  let at = 0;
  for (const { payload } of frames) {
    payloads.set(payload, at);
    at += payload.length;
  }
  return {
    payloads,
    frames: frames.map(({ offset, firstLine, rawLength, compressed, payload }) => ({
      offset,
      firstLine,
      rawLength,
      compressed,
      storedLength: payload.length,
    })),
  };
}
