/** Sends traces of runs that have ended; what fails is tried again with longer and longer waits, for a day. */
import type { TraceSettings } from "../../../config/traces.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { RunSnapshot, TracedRuns } from "../../pipelines/domain.ts";
import { buildSpans } from "./build-spans.ts";
import { encodeSpans } from "./encode-spans.ts";
import type { TraceMetrics } from "./metrics.ts";
import { sendSpans, type Sent } from "./send-spans.ts";
import type { Span } from "./span.ts";
import * as store from "./traces.store.ts";

export interface TraceSender {
  /** In the transaction of who follows the ends of runs. Safe to call twice. */
  add(tx: Transaction, runs: readonly RunSnapshot[]): Promise<void>;
  /** Sends what is due. Gives how long nothing is to be done, in milliseconds. */
  send(signal: AbortSignal): Promise<number>;
}

export interface TraceSenderDeps {
  db: Database;
  logger: Logger;
  runs: TracedRuns;
  metrics: TraceMetrics;
  /** Undefined: the operator wants no traces. */
  settings: TraceSettings | undefined;
  /** After the first failure; it doubles from there. */
  firstWaitMs: number;
}

const atOnce = 10;
const spansAtOnce = 2_000;
const pollMs = 1_000;
const idleMs = 60_000;
/** The end of a run is told to webhooks too: then the trace can name these deliveries. */
const afterEndMs = 2_000;
const longestWaitMs = 15 * 60 * 1000;
const givenUpAfterMs = 24 * 60 * 60 * 1000;

export function createTraceSender(deps: TraceSenderDeps): TraceSender {
  const { db, settings } = deps;
  let isForgotten = false;

  async function sendOne(trace: store.WaitingTrace, to: TraceSettings, signal: AbortSignal): Promise<void> {
    const found = await deps.runs.read(trace.pipeline_id);
    const deliveries = await store.listDeliveries(db, trace.run);
    const spans = found ? buildSpans({ ...found, snapshot: trace.run, deliveries }) : [];
    const sent = await sendAll(spans, to, signal);
    await note(deps, trace, sent);
  }

  return {
    async add(tx, runs) {
      if (settings) await store.add(tx, runs, afterEndMs);
    },
    async send(signal) {
      if (!settings) {
        // Those that waited when the operator ended it.
        if (!isForgotten) await store.forgetAll(db);
        isForgotten = true;
        return idleMs;
      }
      const due = await store.claim(db, atOnce);
      for (const trace of due) {
        if (signal.aborted) break;
        await sendOne(trace, settings, signal);
      }
      return due.length === atOnce ? 0 : pollMs;
    },
  };
}

/** In as many requests as it takes. A part that was accepted is sent again with the rest: each span keeps its id. */
async function sendAll(spans: readonly Span[], to: TraceSettings, signal: AbortSignal): Promise<Sent> {
  for (let from = 0; from < spans.length; from += spansAtOnce) {
    const sent = await sendSpans(to, encodeSpans(spans.slice(from, from + spansAtOnce), to), signal);
    if (sent.outcome !== "accepted") return sent;
  }
  return { outcome: "accepted", why: "" };
}

async function note(
  { db, logger, metrics, firstWaitMs }: TraceSenderDeps,
  trace: store.WaitingTrace,
  { outcome, why }: Sent,
): Promise<void> {
  const told = { pipeline_id: trace.pipeline_id, why };
  if (outcome === "failed" && Date.now() - trace.created_at.getTime() < givenUpAfterMs) {
    metrics.failed();
    logger.warn(told, "the trace of a run could not be sent; trying again");
    const waitMs = Math.min(firstWaitMs * 2 ** Math.min(trace.tries - 1, 20), longestWaitMs);
    return store.delay(db, trace, waitMs);
  }
  if (outcome === "accepted") metrics.ended("sent");
  else {
    metrics.ended(outcome === "failed" ? "given_up" : "refused");
    logger.error(told, "the trace of a run was not accepted, and is not sent again");
  }
  return store.finish(db, trace);
}
