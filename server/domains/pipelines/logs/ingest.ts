/**
 * Takes log frames from the runner hub and makes them durable: frames that arrive while a write is under way
 * are written together by the next one. The compare-and-set on `log_streams.next_offset` keeps a stream whole
 * when a runner reconnects to another server while this one still writes.
 */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { AppendAnswer } from "./append-plan.ts";
import { createAppendQueue } from "./append-queue.ts";
import type { LogFeed } from "./feed.ts";
import { assertSoundFrame, rawBytes } from "./frame-bytes.ts";
import type { LogNotifier } from "./notifier.ts";
import { createRunningHashes } from "./running-hash.ts";
import * as store from "./stream.store.ts";
import { streamStates, streamStatusOf } from "./stream-states.ts";

export interface LogIngestDeps {
  db: Database;
  logger: Logger;
  feed: LogFeed;
  notifier: LogNotifier;
  /** SHA-256 of the first `length` stored bytes of a stream, hexadecimal. */
  storedSha256(streamId: string, length: number): Promise<string>;
  /** Called after each write with how many bytes a stream gained, and whether it ended. */
  onStored(streamId: string, bytes: { raw: number; stored: number }): void;
  onEnded(streamId: string): void;
}

export interface LogIngest {
  /** One set-up stream, one per step, one per service; to be called once per attempt, in the lease's transaction. */
  openStreams(tx: Transaction, open: store.OpenStreams): Promise<LeaseStream[]>;
  /** For a shell in the attempt; its server writes it. */
  openShellStream(
    tx: Transaction,
    attempt: { attemptId: string; pipelineId: string },
  ): Promise<{ id: string; name: string }>;
  /** With the durable end of each, for a runner that reconnects. */
  streamsOf(attemptId: string): Promise<LeaseStream[]>;
  /**
   * Resolves after the commit: `nextOffset` when all bytes of the frame are durable (also when they were
   * before), `expected` when bytes before it are absent. Rejects with `RangeError` for a broken frame,
   * `not_found` for an unknown stream, `conflict` for bytes past the end of an ended stream.
   */
  append(streamId: string, frame: LogFrame): Promise<AppendAnswer>;
  /** Undefined while there is room; otherwise resolves when the caller may continue to read. */
  pressure(): Promise<void> | undefined;
  /**
   * Ends a stream. `complete` is false when the checksum is wrong or bytes were dropped by the runner.
   * Idempotent. `expected` when bytes are absent: send from there, then ask again.
   */
  eof(streamId: string, end: store.StreamEnd): Promise<{ complete: boolean } | { expected: number }>;
  /** Streams that have not ended, and the offset that each wants next. */
  missing(attemptId: string): Promise<Record<string, number>>;
  /** Whether all streams of an attempt are complete; true if it has none. */
  areComplete(attemptId: string): Promise<boolean>;
  /** Ends all streams of a dead attempt as incomplete. */
  closeIncomplete(attemptId: string): Promise<void>;
  /** Like `closeIncomplete`, for each attempt that has ended with open streams. */
  closeAbandoned(): Promise<void>;
}

export function createLogIngest(deps: LogIngestDeps): LogIngest {
  const hashes = createRunningHashes();
  const queue = createAppendQueue({ ...deps, hashes });

  const announceEnd = (streamId: string) => {
    queue.forget(streamId);
    hashes.drop(streamId);
    deps.feed.end(streamId);
    deps.notifier.ended(streamId);
    deps.onEnded(streamId);
  };

  async function closeIncomplete(attemptId: string): Promise<void> {
    for (const stream of await store.endIncomplete(deps.db, attemptId)) announceEnd(stream.id);
  }

  return {
    async openStreams(tx, open) {
      const streams = await store.insertStreams(tx, open);
      await tx.notify("run", open.pipelineId);
      return streams;
    },
    async openShellStream(tx, attempt) {
      const id = newId("log");
      const name = await store.insertShellStream(tx, { id, ...attempt });
      await tx.notify("run", attempt.pipelineId);
      return { id, name };
    },
    streamsOf: (attemptId) => store.findLeaseStreams(deps.db, attemptId),
    async append(streamId, frame) {
      assertSoundFrame(frame);
      const raw = rawBytes(frame);
      return queue.add(streamId, frame, raw);
    },
    pressure: () => queue.pressure(),
    async eof(streamId, end) {
      await queue.settled(streamId);
      const [state] = await store.findStates(deps.db, [streamId]);
      if (!state) return { complete: false };
      const status = streamStatusOf(state);
      if (!streamStates.next(status, "end")) return { complete: status === "complete" };
      if (state.next_offset < end.bytes) return { expected: state.next_offset };
      const sha256 = hashes.finish(streamId, end.bytes) ?? (await deps.storedSha256(streamId, end.bytes));
      const intact = state.next_offset === end.bytes && sha256 === end.sha256.toLowerCase();
      if (!intact) deps.logger.warn({ stream_id: streamId }, "log stream differs from what the runner sent");
      const event = intact && end.droppedBytes === 0 ? "end" : "endCut";
      const complete = streamStates.next(status, event) === "complete";
      if (await store.endStream(deps.db, streamId, { ...end, complete })) announceEnd(streamId);
      return { complete };
    },
    missing: (attemptId) => store.findMissing(deps.db, attemptId),
    areComplete: (attemptId) => store.areComplete(deps.db, attemptId),
    closeIncomplete,
    async closeAbandoned() {
      for (const attemptId of await store.findUnclosed(deps.db)) await closeIncomplete(attemptId);
    },
  };
}
