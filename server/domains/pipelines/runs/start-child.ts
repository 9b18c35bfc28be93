/**
 * A job that starts another pipeline: makes the run once, and takes over how it ended. Said as often as may be, since it only does what
 * is not done yet. `docs/architecture/downstream.md` has the whole course.
 */
import { randomUUID } from "node:crypto";
import type { PlanTrigger } from "@forgeline/schemas/pipeline-file/plan-trigger.ts";
import type { JobResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";
import { limits } from "@forgeline/compiler/limits.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { OutboxHandler } from "../../../platform/outbox/outbox.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { recordAudit } from "../../operation/domain.ts";
import { recordAttemptDone, recordAttemptFollowing, recordChildWait } from "./attempt-facts.ts";
import { childKey } from "./child-intents.ts";
import { childWaitText, heldPart } from "./child-wait.ts";
import { findTarget, type ChildDeps, type ChildTarget } from "./child-target.ts";
import { parentOf, refusalOfCount, refusalOfDepth, refusalOfLoop } from "./child-bounds.ts";
import {
  findChild,
  findStarting,
  listOpenJobs,
  originOf,
  readChildOutputs,
  type StartingRow,
} from "./children.store.ts";
import { createRun } from "./create-run.ts";
import { holdRepository } from "./create-run.store.ts";
import type { ChildMetrics } from "./metrics.ts";
import { reasonSentence } from "./reasons.ts";
import { lockRunOfAttempt } from "./run-record.store.ts";

/** A reason that does not go away, such as a repository that cannot be read, must not keep the job waiting forever. */
const maxTries = 8;

export interface StartChildDeps extends ChildDeps {
  db: Database;
  logger: Logger;
  metrics: ChildMetrics;
}

export function createChildHandler(deps: StartChildDeps): OutboxHandler {
  return (items) => {
    const [item] = items;
    const attemptId = item?.key.slice(childKey.length + 1) ?? "";
    const call = async () => {
      try {
        await advance(deps, attemptId);
      } catch (error) {
        if (!item || item.attempts < maxTries) throw error;
        await giveUp(deps, attemptId, error as Error);
      }
    };
    return [{ kind: "child", items: [...items], call }];
  };
}

async function giveUp({ db, logger }: StartChildDeps, attemptId: string, error: Error): Promise<void> {
  const id = randomUUID();
  logger.error({ attempt_id: attemptId, error_id: id, error: error.message }, "starting a pipeline failed");
  const reason = `internal:${id}`;
  await done(db, attemptId, { status: "error", reason, message: reasonSentence(reason) });
}

async function advance(deps: StartChildDeps, attemptId: string): Promise<void> {
  const starting = await findStarting(deps.db, attemptId);
  const trigger = starting?.job.trigger;
  if (!starting || !trigger) return;
  if (starting.state === "delegated") await start(deps, attemptId, { starting, trigger });
  else if (starting.state === "following") await takeOver(deps, attemptId, { starting, trigger });
}

interface Starting {
  starting: StartingRow;
  trigger: PlanTrigger;
}

async function start(deps: StartChildDeps, attemptId: string, one: Starting): Promise<void> {
  const tooDeep = refusalOfDepth(one.starting);
  const target: ChildTarget =
    tooDeep === null ? await findTarget(deps, one.starting, one.trigger) : { refused: tooDeep };
  const refused = "refused" in target ? target.refused : await create(deps, attemptId, { ...one, target });
  if (refused === null) return deps.metrics.started("trigger", "started");
  deps.metrics.started("trigger", "refused");
  await done(deps.db, attemptId, {
    status: "error",
    reason: "trigger_refused",
    message: storableText(refused),
  });
}

/** Undoes what its transaction has done. */
class Refused extends Error {}
class Over extends Error {}

/** A sentence if it may not be; then nothing is changed. */
async function create(
  { db }: StartChildDeps,
  attemptId: string,
  one: Starting & { target: Exclude<ChildTarget, { refused: string }> },
): Promise<string | null> {
  try {
    await db.transaction((tx) => createIn(tx, attemptId, one));
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    if (error instanceof Over) return null;
    throw error;
  }
}

/**
 * The number of the new run comes from the row of its repository, which whoever deletes that locks before its runs: so do we. Then
 * the run that starts it, before the new row refers to it: two that have referred to it could not lock it any more.
 */
async function createIn(
  tx: Transaction,
  attemptId: string,
  { starting, trigger, target }: Parameters<typeof create>[2],
): Promise<void> {
  const { run, repository, actor } = target;
  refuse(await refusalOfLoop(tx, starting, run));
  await holdRepository(tx, run.repositoryId);
  await lockRunOfAttempt(tx, attemptId);
  const created = await createRun(tx, {
    ...run,
    origin: originOf(attemptId),
    parent: parentOf(starting, attemptId),
  });
  if (!created) throw new Over();
  const isOpen = await recordAttemptFollowing(tx, attemptId);
  if (!isOpen) throw new Over();
  refuse(await refusalOfCount(tx, starting));
  await recordAudit(tx, actor.userId === null ? systemActor : actor, {
    action: "pipeline.trigger",
    target: {
      type: "pipeline",
      id: created.id,
      name: `${repository.owner}/${repository.name}#${created.number}`,
    },
    details: { ref: run.event.ref, sha: run.event.sha, pipeline: run.file, parent: starting.id },
  });
  if (!trigger.wait) await doneIn(tx, attemptId, { status: "success", reason: null, message: null });
  else if (run.content.kind !== "plan") await doneIn(tx, attemptId, endOf("error"));
}

function refuse(sentence: string | null): void {
  if (sentence !== null) throw new Refused(sentence);
}

/** While the run goes on, or goes on again, only what it waits for: its next end is told too. */
async function takeOver(
  { db }: StartChildDeps,
  attemptId: string,
  { starting, trigger: { outputs } }: Starting,
): Promise<void> {
  const child = await findChild(db, attemptId);
  if (!child) return done(db, attemptId, endOf("deleted"));
  if (!isFinal(child.status)) {
    const held = heldPart(await listOpenJobs(db, child.id));
    const isHere = child.repository_id === starting.repositoryId;
    const text = held ? childWaitText(held, { number: child.number, isHere }) : null;
    return db.transaction((tx) => recordChildWait(tx, attemptId, text));
  }
  const end = endOf(child.status);
  if (end.status !== "success" || outputs.length === 0) return done(db, attemptId, end);
  const found = await readChildOutputs(db, child.id, { names: outputs, maxBytes: limits.outputBytes });
  if (found === null)
    return done(db, attemptId, {
      status: "failed",
      reason: "outputs_too_large",
      message: reasonSentence("outputs_too_large"),
    });
  await done(db, attemptId, {
    ...end,
    outputs: Object.fromEntries(outputs.map((name) => [name, found.get(name) ?? ""])),
    warnings: outputs.filter((name) => !found.has(name)).map(missing),
  });
}

function missing(name: string): string {
  return `No job of the pipeline that it started has an output named ${name}, so that is empty.`;
}

type End = Pick<JobResult, "status" | "reason" | "message"> & Partial<JobResult>;

/** What the end of the other run means for the job. */
function endOf(status: Status | "deleted"): End {
  if (status === "success" || status === "skipped") return { status: "success", reason: null, message: null };
  const reason = `child:${status}`;
  return { status: "failed", reason, message: reasonSentence(reason) };
}

function done(db: Database, attemptId: string, end: End): Promise<void> {
  return db.transaction((tx) => doneIn(tx, attemptId, end));
}

async function doneIn(tx: Transaction, attemptId: string, end: End): Promise<void> {
  const attempt = await findStarting(tx, attemptId);
  const result = { exitCode: null, outputs: {}, steps: [], warnings: [], ...end };
  if (attempt) await recordAttemptDone(tx, { attemptId, epoch: attempt.epoch, result, logComplete: true });
}
