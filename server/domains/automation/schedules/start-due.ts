/** Starts the runs of schedules whose time has come. */
import { AppError } from "../../../platform/app-error.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import { recordAudit } from "../../operation/domain.ts";
import { actorOf, type ScheduledRuns } from "../../pipelines/domain.ts";
import type { ScheduleAlerts } from "./alerts.ts";
import { decideTime, type DecidedTime } from "./decide-time.ts";
import * as store from "./due.store.ts";
import type { DueSchedule } from "./due.store.ts";
import type { ScheduleMetrics } from "./metrics.ts";
import { insertRun } from "./schedule-runs.store.ts";

export interface StartDueDeps {
  db: Database;
  logger: Logger;
  runs: Pick<ScheduledRuns, "prepare">;
  /** How much waits to be handed to Temporal; counts to the limit. */
  countWaiting(limit: number): Promise<number>;
  alerts: ScheduleAlerts;
  metrics: ScheduleMetrics;
}

/** How many are looked at together, and how many of those at once. */
const batch = 50;
const atOnce = 4;
/** While so much waits to be handed to Temporal, the runs of pushes would wait for those of schedules. */
const maxWaiting = 100;
const retryMs = 30_000;
/** After so many unexpected problems with one time, it has failed. */
const maxTries = 5;
/** After so many failures in a row, people are told. */
const alertAfter = 3;
/** About what is wrong with one request. */
const maxSentences = 5;

export interface StartDue {
  /** Makes something of some times that have come. Gives how many; "busy" while too much waits already. */
  (signal: AbortSignal): Promise<number | "busy">;
}

export function createStartDue(deps: StartDueDeps): StartDue {
  const { db, logger } = deps;

  async function startOne(id: string): Promise<void> {
    const due = await store.findDue(db, id);
    if (!due) return;
    try {
      await make(deps, due);
    } catch (error) {
      logger.warn({ err: error, schedule_id: id }, "the run of a schedule could not be started");
      const at = { dueAt: due.next_at, ms: retryMs };
      if (due.tries + 1 < maxTries) return store.putOff(db, id, at);
      await fail(deps, due, { time: timeOf(due), error: unexpected });
    }
  }

  return async (signal) => {
    if ((await deps.countWaiting(maxWaiting)) >= maxWaiting) return "busy";
    const ids = await store.listDue(db, batch);
    const left = ids.values();
    const work = async () => {
      for (const id of left) {
        if (signal.aborted) return;
        await startOne(id);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return ids.length;
  };
}

const unexpected = "The repository could not be read. Please tell the administrator of the instance.";

const dateOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));

function timeOf({ cron, timezone, if_missed: ifMissed, next_at: dueAt }: DueSchedule): DecidedTime {
  return decideTime({ cron, timezone, ifMissed }, { dueMs: dueAt.getTime(), nowMs: Date.now() });
}

/** Throws for what a later try may not meet. */
async function make(deps: StartDueDeps, due: DueSchedule): Promise<void> {
  const { db } = deps;
  const time = timeOf(due);
  if (due.rests) return store.passBy(db, due.id, { dueAt: due.next_at, nextAt: dateOf(time.nextMs) });
  if (!due.owner_may) return turnOff(deps, due);
  if (time.action === "skip") return skip(deps, due, time);
  const prepared = await prepare(deps, due, time);
  if ("error" in prepared) return fail(deps, due, { time, error: prepared.error });
  await db.transaction(async (tx) => {
    if (!(await store.lockDue(tx, due.id, due.next_at))) return;
    const run = await prepared.create(tx);
    await insertRun(tx, { ...recordOf(due, time), status: "started", pipelineId: run?.id ?? null });
    await store.succeed(tx, due.id, dateOf(time.nextMs));
    crashPoint("schedule.run-before-committed");
  });
  deps.metrics.came("started", Date.now() - time.dueMs);
}

type Prepared = { create: Awaited<ReturnType<ScheduledRuns["prepare"]>> } | { error: string };

async function prepare({ runs }: StartDueDeps, due: DueSchedule, { dueMs }: DecidedTime): Promise<Prepared> {
  const { id, name, ref, file, inputs, variables, repository_id: repositoryId } = due;
  const request = {
    repositoryId,
    schedule: { id, name },
    ref,
    pipeline: file,
    inputs,
    variables,
    origin: `schedule:${id}:${new Date(dueMs).toISOString()}`,
    user: null,
    reader: actorOf(due.owner_id, { repositoryId, reach: due.reach }),
  };
  try {
    return { create: await runs.prepare(request) };
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_failed") return { error: sentencesOf(error) };
    throw error;
  }
}

/** Several inputs may be wrong. */
function sentencesOf({ message, options: { errors = [] } }: AppError): string {
  const sentences = errors.slice(0, maxSentences).map((each) => each.message);
  return sentences.length > 0 ? sentences.join(" ") : message;
}

const recordOf = (due: DueSchedule, time: DecidedTime) => ({
  scheduleId: due.id,
  cause: time.isMissed ? ("missed" as const) : ("schedule" as const),
  dueAt: new Date(time.dueMs),
  missed: time.missed,
});

async function skip({ db, metrics }: StartDueDeps, due: DueSchedule, time: DecidedTime): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await store.lockDue(tx, due.id, due.next_at))) return;
    await insertRun(tx, { ...recordOf(due, time), status: "skipped" });
    await store.succeed(tx, due.id, dateOf(time.nextMs));
  });
  metrics.came("skipped", 0);
}

async function fail(
  { db, alerts, metrics }: StartDueDeps,
  due: DueSchedule,
  { time, error }: { time: DecidedTime; error: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await store.lockDue(tx, due.id, due.next_at))) return;
    await insertRun(tx, { ...recordOf(due, time), status: "failed", error });
    const now = await store.fail(tx, due.id, dateOf(time.nextMs));
    if (!now || now.failures < alertAfter || now.alerted_at) return;
    await alerts.failing(tx, due, { failures: now.failures, error });
    await store.noteAlert(tx, due.id);
  });
  metrics.came("failed", 0);
}

async function turnOff({ db, alerts, metrics }: StartDueDeps, due: DueSchedule): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await store.lockDue(tx, due.id, due.next_at))) return;
    await store.turnOff(tx, due.id, "owner");
    await recordTurnedOff(tx, due);
    await alerts.turnedOff(tx, due);
  });
  metrics.came("turned_off", 0);
}

async function recordTurnedOff(tx: Transaction, due: DueSchedule): Promise<void> {
  await recordAudit(tx, systemActor, {
    action: "schedule.turn_off",
    target: { type: "repository", id: due.repository_id, name: due.repository },
    details: { schedule_id: due.id, name: due.name, reason: "owner" },
  });
}
