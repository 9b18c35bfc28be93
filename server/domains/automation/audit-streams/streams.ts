/** Sends audit logs to their targets: called by the workflow of a stream while entries wait. */
import type { SendAuditStreamResult } from "@forgeline/schemas/audit-streams/workflow.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { AuditReader } from "../../operation/domain.ts";
import type { AuditStreamMetrics } from "./metrics.ts";
import { problemSentence } from "../webhooks/problems.ts";
import { openTarget, type OpenTargetDeps } from "./open-target.ts";
import { sendWaiting } from "./send-waiting.ts";
import * as store from "./sending.store.ts";
import { TargetProblem } from "./stream-target.ts";

export interface AuditStreams {
  /**
   * Sends what waits, and what comes meanwhile, for some minutes; then says when to call again. Throws what is not about the target, and
   * the signal's reason. Safe to call twice.
   */
  send(streamId: string, signal: AbortSignal): Promise<SendAuditStreamResult>;
  /** Ends what is sent now: the worker is about to end, and another one may take over at once. */
  stopSending(): void;
  /** For work that was cancelled: pauses the stream, which loses nothing. */
  stop(streamId: string): Promise<void>;
  /** For work that is to begin again after that. Throws if Temporal does not answer. */
  resume(streamId: string): Promise<void>;
}

export interface AuditStreamDeps extends OpenTargetDeps {
  db: Database;
  reader: AuditReader;
  metrics: AuditStreamMetrics;
  /** Starts the workflow, or wakes it. Throws if Temporal does not answer. */
  wake(streamId: string): Promise<void>;
  /** After the first attempt that failed; it doubles from there. */
  firstWaitMs: number;
}

/** What is ours is tried again by Temporal, which tells administrators of it; the owner is told too. */
const internalProblem = problemSentence("internal", null) ?? "";
const longestWaitMs = 5 * 60 * 1000;
/** Of one call. */
const budgetMs = 4 * 60 * 1000;

export function createAuditStreams(deps: AuditStreamDeps): AuditStreams {
  const { db, metrics } = deps;
  let stopping = new AbortController();

  /** What has become of it: milliseconds until the next call; null: nothing waits. */
  async function sendOnce(row: store.SendingRow, signal: AbortSignal): Promise<number | null> {
    const target = openTarget(deps, row);
    let failures = row.failures;
    const onAccepted = (entries: number) => {
      failures = 0;
      metrics.accepted(row.target.kind, entries);
    };
    try {
      const ending = AbortSignal.any([stopping.signal, AbortSignal.timeout(budgetMs)]);
      return await sendWaiting(deps, { row, target, onAccepted, ending }, signal);
    } catch (error) {
      metrics.failed(row.target.kind);
      if (!(error instanceof TargetProblem)) {
        if (!signal.aborted) await store.noteFailure(db, row, { error: internalProblem, waitMs: 0 });
        throw error;
      }
      const waitMs = Math.max(error.askedMs, Math.min(deps.firstWaitMs * 2 ** failures, longestWaitMs));
      // Of one that has changed meanwhile, this says nothing.
      return (await store.noteFailure(db, row, { error: error.message, waitMs })) ? waitMs : 0;
    } finally {
      target.close();
    }
  }

  return {
    async send(streamId, signal) {
      const row = await store.beginSending(db, streamId);
      if (!row) return { dueInMs: null };
      if (row.wait_ms > 0) return { dueInMs: Math.ceil(row.wait_ms) };
      return { dueInMs: await sendOnce(row, signal) };
    },
    stopSending() {
      stopping.abort();
      stopping = new AbortController();
    },
    stop: (streamId) => store.stop(db, streamId),
    async resume(streamId) {
      await store.resume(db, streamId);
      await deps.wake(streamId);
    },
  };
}
