/** One sync from its row's beginning to its end: the same whether refs are taken from a source or sent to a target. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SyncCause } from "@forgeline/schemas/mirrors/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { RelayProblem } from "../../../platform/git/remote/https-relay.ts";
import { newId } from "../../../platform/ids.ts";
import type { Logger } from "../../../platform/logger.ts";
import { alertAfter, type AlertedMirror, type MirrorAlerts } from "./alerts.ts";
import type { MirrorMetrics } from "./metrics.ts";
import { problemOf, type RemoteSide } from "./sync-problem.ts";
import * as store from "./syncs.store.ts";

/** The row of a mirror that is to be synced. */
export interface DueMirror {
  id: string;
  requested: SyncCause | null;
  /** Nothing is to be done yet, unless a sync has begun already. */
  waits: boolean;
}

/** What is known of the other side after a connection, whatever became of it. */
export interface Seen {
  hostKey: string | null;
  problem: RelayProblem | undefined;
}

export interface RunningSync<M extends DueMirror> {
  mirror: M;
  syncId: string;
  signal: AbortSignal;
  report(progress: Partial<store.Progress>): void;
  seen: Seen;
}

export interface Ran {
  outcome: store.Outcome;
  /** Why it could not be done, or part of it, as a sentence. */
  problem?: string | undefined;
  isPartial?: boolean;
  /** Written together with the end. */
  also?(tx: Transaction): Promise<void>;
}

/** What syncs of one direction do, and where their mirrors are kept. */
export interface SyncSide<M extends DueMirror> {
  side: RemoteSide;
  /** Until the transaction ends; undefined where nothing is to be synced. */
  lockDue(tx: Transaction, id: string): Promise<M | undefined>;
  insertSync(
    tx: Transaction,
    sync: { id: string; mirrorId: string; cause: SyncCause; work: string },
  ): Promise<void>;
  /** Nobody wants a sync any more: one has begun. */
  clearRequest(tx: Transaction, mirrorId: string): Promise<void>;
  /** What was known of the outage that has ended with it, if there was one. */
  noteSuccess(tx: Transaction, mirror: M, hostKey: string | null): Promise<Ended | undefined>;
  /** `isPartial`: the other side answered, and only some of it could not be done. */
  noteFailure(
    tx: Transaction,
    mirror: M,
    seen: { hostKey: string | null; isPartial: boolean },
  ): Promise<Failing | undefined>;
  noteAlert(tx: Transaction, mirrorId: string): Promise<void>;
  alertedOf(mirror: M): AlertedMirror;
  /** Throws what `problemOf` understands, and whatever is no problem of the other side. */
  run(sync: RunningSync<M>): Promise<Ran>;
}

interface Ended {
  alerted_at: Date | null;
  failing_since: Date | null;
}

interface Failing extends Ended {
  failures: number;
}

export interface SyncLifecycleDeps {
  db: Database;
  logger: Logger;
  alerts: MirrorAlerts;
  metrics: MirrorMetrics;
}

/** What was wrong, as it is recorded; null if nothing was, or nothing was to be done. */
export type RunSync = (id: string, how: { work: string; signal: AbortSignal }) => Promise<string | null>;

/** Why a sync ended that nobody finished. */
export const stopped = "It was stopped before it ended.";
const noteEveryMs = 2_000;
/** Whoever does a sync and is silent for so long has died, or was cut off. */
const silentMs = 8 * noteEveryMs;
const lookEveryMs = 250;

/**
 * One sync, if one is due. What is wrong with the other side is recorded; throws for what a later attempt may not meet, such as a
 * database that is away, and the signal's reason. `work` names the workflow's run: its sync is continued.
 */
export function createSyncRunner<M extends DueMirror>(deps: SyncLifecycleDeps, of: SyncSide<M>): RunSync {
  const { db, logger, metrics } = deps;
  return async (id, { work, signal }) => {
    const begun = await beginInTurn(db, of, { id, work, signal });
    if (!begun) return null;
    const startedMs = performance.now();
    const reporter = createReporter(db, begun.syncId);
    const seen: Seen = { hostKey: null, problem: undefined };
    const ended = (outcome: "changed" | "unchanged" | "failed") =>
      metrics.ended({ outcome, seconds: (performance.now() - startedMs) / 1000, bytes: reporter.bytes() });
    const end = (ran: Ran) => db.transaction((tx) => finish(deps, of, { tx, begun, ran, seen }));
    try {
      const ran = await of.run({ ...begun, signal, report: reporter.report, seen });
      await end(ran);
      ended(ran.problem !== undefined ? "failed" : ran.outcome.changedRefs > 0 ? "changed" : "unchanged");
      return ran.problem ?? null;
    } catch (error) {
      signal.throwIfAborted();
      const problem = problemOf(error, { side: of.side, relayed: seen.problem });
      if (problem === undefined) throw error;
      logger.info({ err: error, mirror: begun.mirror.id }, "a mirror could not be synced");
      await end({ outcome: nothingDone, problem });
      ended("failed");
      return problem;
    } finally {
      reporter.close();
    }
  };
}

const nothingDone: store.Outcome = { changedRefs: 0, bytes: 0, lfsObjects: 0, refs: [], notes: [] };

interface Begun<M> {
  mirror: M;
  syncId: string;
}

/**
 * Undefined where none is due. Temporal names what a schedule starts by the second in which it was asked for, and may start another one
 * too early when two had the same name: that one waits here.
 */
async function beginInTurn<M extends DueMirror>(
  db: Database,
  of: SyncSide<M>,
  { signal, ...wanted }: { id: string; work: string; signal: AbortSignal },
): Promise<Begun<M> | undefined> {
  for (;;) {
    const begun = await db.transaction((tx) => begin(tx, of, wanted));
    if (begun !== "another_runs") return begun;
    await sleep(lookEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function begin<M extends DueMirror>(
  tx: Transaction,
  of: SyncSide<M>,
  { id, work }: { id: string; work: string },
): Promise<Begun<M> | "another_runs" | undefined> {
  const mirror = await of.lockDue(tx, id);
  if (!mirror) return undefined;
  const running = await store.findRunning(tx, mirror.id, silentMs);
  if (running?.work === work) return { mirror, syncId: running.id };
  if (running && !running.silent) return "another_runs";
  if (running) await store.stopSync(tx, running.id, stopped);
  if (mirror.waits) return undefined;
  const syncId = newId("sync");
  await of.insertSync(tx, { id: syncId, mirrorId: mirror.id, cause: mirror.requested ?? "schedule", work });
  await of.clearRequest(tx, mirror.id);
  return { mirror, syncId };
}

async function finish<M extends DueMirror>(
  { alerts }: SyncLifecycleDeps,
  of: SyncSide<M>,
  { tx, begun, ran, seen }: { tx: Transaction; begun: Begun<M>; ran: Ran; seen: Seen },
): Promise<void> {
  const { mirror, syncId } = begun;
  const { outcome, problem } = ran;
  const isOpen =
    problem === undefined
      ? await store.succeedSync(tx, syncId, outcome)
      : await store.failSync(tx, syncId, { outcome, error: problem });
  if (!isOpen) return;
  await ran.also?.(tx);
  if (problem === undefined) {
    const before = await of.noteSuccess(tx, mirror, seen.hostKey);
    if (before?.alerted_at && before.failing_since)
      await alerts.worksAgain(tx, of.alertedOf(mirror), before.failing_since);
    return;
  }
  const { hostKey } = seen;
  const now = await of.noteFailure(tx, mirror, { hostKey, isPartial: ran.isPartial === true });
  if (!now?.failing_since || now.failures < alertAfter || now.alerted_at) return;
  await alerts.failing(tx, of.alertedOf(mirror), { since: now.failing_since, error: problem });
  await of.noteAlert(tx, mirror.id);
}

/** Writes from time to time how far it is, and so that it lives; whether that reaches the database once is not important. */
function createReporter(db: Database, syncId: string) {
  let at: store.Progress = { step: "connecting", bytes: 0, lfsObjects: 0 };
  const note = () => void store.noteProgress(db, syncId, at).catch(() => undefined);
  const timer = setInterval(note, noteEveryMs);
  return {
    bytes: () => at.bytes,
    report(progress: Partial<store.Progress>): void {
      at = { ...at, ...progress };
    },
    close: () => clearInterval(timer),
  };
}
