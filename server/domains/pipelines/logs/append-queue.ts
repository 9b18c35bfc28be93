/** Group commit: one write at a time; everything that waits goes into the next one. */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isDeadlock } from "../../../platform/db/deadlock.ts";
import { AppError } from "../../../platform/app-error.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import { planAppend, type AppendAnswer, type AppendPlan, type PendingFrame } from "./append-plan.ts";
import { writeChunks } from "./chunk.store.ts";
import type { LogFeed } from "./feed.ts";
import type { LogNotifier } from "./notifier.ts";
import type { RunningHashes } from "./running-hash.ts";
import { findStates } from "./stream.store.ts";

/** Raw bytes of one statement, and of all that may wait before senders are asked to pause. */
const batchBytes = 4 * 1024 * 1024;
const batchFrames = 2000;
const pressureBytes = 16 * 1024 * 1024;
const maxKnownStreams = 20_000;

export interface AppendQueueDeps {
  db: Database;
  feed: LogFeed;
  notifier: LogNotifier;
  hashes: RunningHashes;
  onStored(streamId: string, bytes: { raw: number; stored: number }): void;
}

/** Two servers that write the same two streams may block each other; the loser judges its frames again. */
async function writeOrLose(db: Database, accepted: AppendPlan["accepted"]): Promise<Set<string>> {
  try {
    return await writeChunks(db, accepted);
  } catch (error) {
    if (isDeadlock(error)) return new Set();
    throw error;
  }
}

const ignore = () => undefined;

export function createAppendQueue(deps: AppendQueueDeps) {
  /** Durable ends as this process knows them; another server may have advanced them. */
  const known = new Map<string, { end: number; ended: boolean }>();
  const waiting: PendingFrame[] = [];
  /** Per stream: settles with the last frame that was added. */
  const tails = new Map<string, Promise<void>>();
  let waitingBytes = 0;
  let writing: Promise<void> | undefined;
  let relief: PromiseWithResolvers<void> | undefined;

  function takeBatch(): PendingFrame[] {
    let bytes = 0;
    let count = 0;
    while (count < waiting.length && count < batchFrames && bytes < batchBytes)
      bytes += waiting[count++]?.raw.length ?? 0;
    waitingBytes -= bytes;
    return waiting.splice(0, count);
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        await writeBatch(batch);
      } catch (error) {
        // The commit may or may not have succeeded: ask the database next time.
        for (const pending of batch) {
          known.delete(pending.streamId);
          deps.hashes.drop(pending.streamId);
          pending.reject(error as Error);
        }
      }
      if (relief && waitingBytes < pressureBytes / 2) {
        relief.resolve();
        relief = undefined;
      }
    }
    writing = undefined;
  }

  async function writeBatch(batch: readonly PendingFrame[]): Promise<void> {
    await learn(batch);
    const ends = new Map<string, number>();
    const open = batch.filter((pending) => {
      const state = known.get(pending.streamId);
      if (state) ends.set(pending.streamId, state.end);
      const past = state?.ended && pending.frame.offset + pending.frame.rawLength > state.end;
      if (!state) pending.reject(new AppError("not_found", { message: "The log stream does not exist." }));
      else if (past) pending.reject(new AppError("conflict", { message: "The log stream has ended." }));
      return state !== undefined && !past;
    });
    const plan = planAppend(open, ends);
    const written = plan.accepted.length > 0 ? await writeOrLose(deps.db, plan.accepted) : new Set<string>();
    settle(await withStoredOffsets(plan), written);
  }

  /**
   * A runner may have discarded what another server acknowledged: gaps are reported by the database's state, and later frames
   * are compared with it.
   */
  async function withStoredOffsets(plan: AppendPlan): Promise<AppendPlan> {
    const gaps = plan.answers.filter((a) => "expected" in a.answer).map((a) => a.pending.streamId);
    if (gaps.length === 0) return plan;
    const states = await findStates(deps.db, [...new Set(gaps)]);
    for (const { id, next_offset: end, ended } of states) known.set(id, { end, ended });
    const answers = plan.answers.map(({ pending, answer }) => ({
      pending,
      answer:
        "expected" in answer ? { expected: known.get(pending.streamId)?.end ?? answer.expected } : answer,
    }));
    return { ...plan, answers };
  }

  async function learn(batch: readonly PendingFrame[]): Promise<void> {
    const unknown = [...new Set(batch.map((p) => p.streamId))].filter((id) => !known.has(id));
    if (unknown.length === 0) return;
    if (known.size + unknown.length > maxKnownStreams) known.clear();
    for (const state of await findStates(deps.db, unknown))
      known.set(state.id, { end: state.next_offset, ended: state.ended });
    // The clearing above may have removed the rest of the batch.
    if (batch.some((p) => !known.has(p.streamId) && !unknown.includes(p.streamId))) await learn(batch);
  }

  function settle(plan: AppendPlan, written: ReadonlySet<string>): void {
    const tried = new Set(plan.accepted.map((a) => a.streamId));
    if (written.size > 0) crashPoint("log.stored-before-ack");
    for (const { pending, answer } of plan.answers)
      if (!tried.has(pending.streamId) || written.has(pending.streamId)) pending.resolve(answer);
    publish(plan, written);
    // Another server advanced these streams: check their frames again with the database's state.
    const again = plan.answers
      .map((a) => a.pending)
      .filter((p) => tried.has(p.streamId) && !written.has(p.streamId));
    for (const pending of again) {
      known.delete(pending.streamId);
      deps.hashes.drop(pending.streamId);
      waitingBytes += pending.raw.length;
    }
    waiting.unshift(...again);
  }

  function publish(plan: AppendPlan, written: ReadonlySet<string>): void {
    const byStream = Map.groupBy(
      plan.accepted.filter((a) => written.has(a.streamId)),
      (a) => a.streamId,
    );
    for (const [streamId, frames] of byStream) {
      let end = 0;
      const bytes = { raw: 0, stored: 0 };
      for (const { frame, raw } of frames) {
        deps.hashes.add(streamId, frame.offset, raw);
        end = frame.offset + frame.rawLength;
        bytes.raw += raw.length;
        bytes.stored += frame.payload.length;
      }
      known.set(streamId, { end, ended: false });
      deps.feed.publish(
        streamId,
        frames.map((f) => f.frame),
      );
      deps.notifier.stored(streamId, end);
      deps.onStored(streamId, bytes);
    }
  }

  return {
    add(streamId: string, frame: LogFrame, raw: Buffer): Promise<AppendAnswer> {
      const { promise, resolve, reject } = Promise.withResolvers<AppendAnswer>();
      waiting.push({ streamId, frame, raw, resolve, reject });
      waitingBytes += raw.length;
      writing ??= Promise.resolve().then(writeAll);
      const tail = promise.then(ignore, ignore).then(() => {
        if (tails.get(streamId) === tail) tails.delete(streamId);
      });
      tails.set(streamId, tail);
      return promise;
    },
    pressure(): Promise<void> | undefined {
      if (waitingBytes < pressureBytes) return undefined;
      relief ??= Promise.withResolvers<void>();
      return relief.promise;
    },
    /** Resolves once all frames of the stream that waited when it was called are durable or refused. */
    settled: async (streamId: string) => tails.get(streamId),
    forget: (streamId: string) => void known.delete(streamId),
  };
}
