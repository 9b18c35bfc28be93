/** Syncs of forks, from their beginning in the database to their end there. */
import type { Actor } from "../../../platform/access/actor.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { AppError } from "../../../platform/app-error.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { isDiskFull } from "../../../platform/disk-full.ts";
import { GitError } from "../../../platform/git/processes/run-git.ts";
import { newId } from "../../../platform/ids.ts";
import type { Logger } from "../../../platform/logger.ts";
import { actingFor, commitIdentity, type UserRow } from "../../accounts/domain.ts";
import type { Lfs, Upstreams } from "../../hosting/domain.ts";
import { alertAfter, type AlertedMirror, type MirrorAlerts } from "../mirrors/alerts.ts";
import { stopped } from "../mirrors/sync-lifecycle.ts";
import { backOffMs } from "../mirrors/timing.ts";
import * as schedules from "./fork-schedules.store.ts";
import * as store from "./fork-syncs.store.ts";
import type { ForkSyncMetrics } from "./metrics.ts";
import { ForkProblem, statusOf } from "./plan-branches.ts";
import { addForkScheduleIntent } from "./schedules.ts";
import { syncFork, type ForkWork, type ForkWorkDeps } from "./sync-fork.ts";

export interface ForkSyncs {
  /**
   * One sync: that of this id, or what the schedule wants where there is none. Why it could not be done is recorded, and returned if
   * the schedule wanted it, since nobody waits for its answer. Throws for what a later attempt may not meet, and the signal's reason.
   */
  sync(wanted: { repositoryId: string; syncId: string | null; signal: AbortSignal }): Promise<string | null>;
  /** For work that was cancelled or has failed: ends what is open. */
  giveUp(repositoryId: string): Promise<void>;
}

export interface ForkSyncDeps extends ForkWorkDeps {
  db: Database;
  logger: Logger;
  users: { getMany(ids: readonly string[]): Promise<Map<string, UserRow>> };
  upstreams: Upstreams;
  lfs: Pick<Lfs, "findMissing" | "transfers">;
  alerts: MirrorAlerts;
  metrics: ForkSyncMetrics;
}

/** Somebody has no right to it any more: the schedule rests until somebody else has set it up again. */
class RightLost extends ForkProblem {
  readonly reason: "owner" | "upstream";
  constructor(reason: "owner" | "upstream", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Sent when a sync has ended, with its id. */
export const endedChannel = "fork_sync" as const;

export function createForkSyncs(deps: ForkSyncDeps): ForkSyncs {
  const { db, logger } = deps;
  return {
    async sync({ repositoryId, syncId, signal }) {
      const id = syncId ?? (await beginScheduled(db, repositoryId));
      const begun = id === undefined ? undefined : await store.beginSync(db, id);
      if (!begun) return null;
      // Whoever asked for a sync by hand is told by its answer.
      const told = (problem: string) => (begun.cause === "schedule" ? problem : null);
      try {
        const outcome = await run(deps, begun, signal);
        crashPoint("fork.moved-before-finished");
        await end(deps, begun, outcome);
        return outcome.status === "conflict" ? told(conflictText(outcome)) : null;
      } catch (error) {
        signal.throwIfAborted();
        const problem = problemOf(error);
        if (problem === undefined) throw error;
        logger.info({ err: error, repository_id: repositoryId }, "a fork could not be synced");
        await fail(deps, begun, { problem, lost: error instanceof RightLost ? error.reason : undefined });
        return told(problem);
      }
    },
    giveUp: (repositoryId) => store.stopOpen(db, repositoryId, stopped),
  };
}

/** Undefined where none is due, or another one is open. */
function beginScheduled(db: Database, repositoryId: string): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const due = await schedules.lockDue(tx, repositoryId);
    if (!due) return undefined;
    const id = newId("fsyn");
    const { branch, owner_id: userId } = due;
    const isNew = await store.insertSync(tx, { id, repositoryId, cause: "schedule", branch, userId });
    // One that a worker has left when it died is continued.
    return isNew ? id : (await store.findOpen(tx, repositoryId))?.id;
  });
}

async function run(
  deps: ForkSyncDeps,
  begun: store.BegunSync,
  signal: AbortSignal,
): Promise<store.ForkOutcome> {
  const { actor, author } = await userOf(deps, begun.user_id);
  const seen = await deps.upstreams.see(begun.repository_id, actor);
  if (!seen || !levelCovers(seen.level, "write"))
    throw new RightLost("owner", "Who wants this sync may not write to the fork any more.");
  const upstream = await deps.upstreams.of(begun.repository_id, actor);
  if (!upstream) throw new RightLost("upstream", goneUpstream);
  const outcome = await syncFork(deps, {
    fork: seen.repository,
    upstream,
    branch: begun.branch,
    actor,
    author,
    signal,
    plan: (branches) => store.notePlan(deps.db, begun.id, branches),
    takeLfs: takeLfs(deps, { fork: seen.repository, upstream, userId: actor.userId }),
  });
  const isDone = outcome.status === "up_to_date" && statusOf(begun.branches) !== "up_to_date";
  // It was cut off after the refs had moved.
  return isDone ? { ...outcome, status: statusOf(begun.branches), branches: begun.branches } : outcome;
}

const goneUpstream = "The upstream is gone, or who wants this sync may not read it.";

async function userOf(
  { users }: ForkSyncDeps,
  userId: string | null,
): Promise<{ actor: Actor; author: ForkWork["author"] }> {
  const user = userId === null ? undefined : (await users.getMany([userId])).get(userId);
  const actor = user && actingFor(user);
  if (!user || !actor) throw new RightLost("owner", "Who wants this sync has no account any more.");
  return { actor, author: commitIdentity(user) };
}

function takeLfs(
  { lfs }: ForkSyncDeps,
  { fork, upstream, userId }: Pick<ForkWork, "fork" | "upstream"> & { userId: string | null },
): ForkWork["takeLfs"] {
  return async (largeFiles) => {
    for (const object of await lfs.findMissing(fork.id, largeFiles)) {
      const bytes = await lfs.transfers.open(upstream.id, object).catch(unlessAbsent);
      if (bytes) await lfs.transfers.receive({ repositoryId: fork.id, userId }, object, bytes);
    }
  };
}

/** What the upstream does not have either is missing in both. */
function unlessAbsent(error: unknown): undefined {
  if (error instanceof AppError && error.code === "not_found") return undefined;
  throw error;
}

/** Undefined for what a later attempt may not meet. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof ForkProblem) return error.message;
  if (error instanceof AppError && error.code !== "unavailable" && error.code !== "rate_limit_exceeded")
    return error.message;
  if (isDiskFull(error))
    return "The disk of the server is full. Please tell the administrator of the instance.";
  if (!(error instanceof GitError)) return undefined;
  if (/unrelated histories/.test(error.stderr)) return "The branches have no common commit.";
  if (/fsck|strict|bad object|missing/.test(error.stderr))
    return "The upstream has objects that are damaged or not allowed.";
  return undefined;
}

async function end(
  { db, alerts, metrics }: ForkSyncDeps,
  begun: store.BegunSync,
  outcome: store.ForkOutcome,
) {
  const isConflict = outcome.status === "conflict";
  await db.transaction(async (tx) => {
    if (!(await store.endSync(tx, begun.id, outcome))) return;
    await tx.notify(endedChannel, begun.id);
    if (begun.cause !== "schedule") return;
    if (isConflict) await noteFailure(tx, alerts, { begun, problem: conflictText(outcome) });
    else await noteSuccess(tx, alerts, begun.repository_id);
  });
  metrics.ended(outcome.status);
}

async function fail(
  { db, alerts, metrics }: ForkSyncDeps,
  begun: store.BegunSync,
  { problem, lost }: { problem: string; lost: "owner" | "upstream" | undefined },
): Promise<void> {
  const { repository_id: repositoryId } = begun;
  await db.transaction(async (tx) => {
    if (!(await store.failSync(tx, begun.id, problem))) return;
    await tx.notify(endedChannel, begun.id);
    if (begun.cause !== "schedule") return;
    await noteFailure(tx, alerts, { begun, problem });
    if (lost && (await schedules.pause(tx, repositoryId, lost)))
      await addForkScheduleIntent(tx, repositoryId);
  });
  metrics.ended("failed");
}

export function conflictText({ conflicts }: Pick<store.ForkOutcome, "conflicts">): string {
  const list = conflicts.map(
    ({ branch, paths }) => `${branch} (${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ", …" : ""})`,
  );
  return `Both sides have changed the same lines: ${list.slice(0, 3).join(", ")}.`;
}

const alertedOf = (repositoryId: string): AlertedMirror => ({
  direction: "fork",
  repositoryId,
  url: "its upstream",
  page: "sync",
});

async function noteSuccess(tx: Transaction, alerts: MirrorAlerts, repositoryId: string): Promise<void> {
  const before = await schedules.noteSuccess(tx, repositoryId);
  if (before?.alerted_at && before.failing_since)
    await alerts.worksAgain(tx, alertedOf(repositoryId), before.failing_since);
}

async function noteFailure(
  tx: Transaction,
  alerts: MirrorAlerts,
  { begun, problem }: { begun: store.BegunSync; problem: string },
): Promise<void> {
  const { repository_id: repositoryId } = begun;
  const now = await schedules.noteFailure(tx, repositoryId);
  if (!now) return;
  const { interval_minutes: intervalMinutes, cron, timezone } = now;
  await schedules.waitFor(tx, repositoryId, backOffMs({ intervalMinutes, cron, timezone }, now.failures));
  if (!now.failing_since || now.failures < alertAfter || now.alerted_at) return;
  await alerts.failing(tx, alertedOf(repositoryId), { since: now.failing_since, error: problem });
  await schedules.noteAlert(tx, repositoryId);
}
