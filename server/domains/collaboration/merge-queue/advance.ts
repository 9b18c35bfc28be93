/**
 * Moves merge queues on, one queue at a time in each server: makes a batch, asks its runs, lands it or splits it. Each step is one
 * transaction, or can be repeated; which comes next is in the database, so any server goes on where another one died.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import type { Platform } from "../../../platform/platform.ts";
import { readRefs } from "../../../platform/git/refs/refs.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { MergeQueueRuns } from "../../pipelines/domain.ts";
import type { MergeRequirements } from "../merge-requests/requirements/service.ts";
import {
  afterProblem,
  atOnce,
  LookOver,
  soon,
  type Again,
  type BatchEnds,
  type BatchOf,
  type Look,
} from "./batch.ts";
import { judgeTested } from "./batch-plan.ts";
import { listEntries, type EntryRow } from "./entries.store.ts";
import type { BatchLanding } from "./land-batch.ts";
import { MembersChanged } from "./make-batch.ts";
import { claimQueue, findBatch, lookLater, rest, type BatchRow, type ClaimedQueue } from "./queues.store.ts";

export interface MergeQueueAdvance {
  /** Moves on those that are due; how many. Throws when the database does not answer. */
  advanceDue(signal: AbortSignal): Promise<number>;
  periodicTasks: readonly PeriodicTask[];
}

export interface AdvanceDeps extends Pick<Platform, "git" | "storage" | "logger"> {
  db: Database;
  requirements: Pick<MergeRequirements, "queueOf">;
  runs: Pick<MergeQueueRuns, "read" | "checks">;
  ends: BatchEnds;
  landing: BatchLanding;
  makeBatch(look: Look): Promise<Again>;
}

const pollMs = 1_000;
/** Nothing can move: the repository is archived or deleted, the queue is paused, or its branch is gone. */
const idleSeconds = 60;
const noQueueText = "Its target branch has no merge queue any more.";

export function createMergeQueueAdvance(deps: AdvanceDeps): MergeQueueAdvance {
  const { db, ends, landing } = deps;

  async function tipOf(repositoryId: string, branch: string): Promise<string> {
    const ref = `refs/heads/${branch}`;
    const refs = await readRefs(deps.git.run, deps.storage.directory(repositoryId), [ref]);
    return refs.get(ref) ?? zeroId;
  }

  async function settle(look: Look, of: BatchOf): Promise<Again> {
    const { batch } = of;
    if (look.tip !== batch.base_sha || !isInFront(look, of)) return ends.giveUp(look, of);
    const tested = { sha: batch.sha, runs: batch.pipeline_ids };
    const { checks: wanted, wantsRun, max_wait_minutes: maxWaitMinutes } = look.rule;
    const [runs, checks] = await Promise.all([
      deps.runs.read(batch.pipeline_ids),
      wanted.length === 0 ? [] : deps.runs.checks(look.key.repositoryId, tested, wanted),
    ]);
    const waitedMinutes = (Date.now() - batch.created_at.getTime()) / 60_000;
    const verdict = judgeTested({ runs, checks, wantsRun, waitedMinutes, maxWaitMinutes });
    if (verdict.result === "pending") return soon;
    return verdict.result === "passed" ? landing.land(look, of) : ends.fail(look, of, verdict.reason);
  }

  async function goOn(look: Look, batch: BatchRow): Promise<Again> {
    const of = { batch, members: look.entries.filter(({ batch_id: id }) => id === batch.id) };
    return batch.state === "landing" ? landing.goOn(look, of) : settle(look, of);
  }

  /** Without a rule, what is about to land is seen through. */
  async function empty(look: Look, batch: BatchRow | undefined): Promise<Again> {
    if (batch) return ends.giveUp(look, { batch, members: [] });
    for (const entry of look.entries) await ends.drop(look, entry, noQueueText);
    return atOnce;
  }

  /** `rest`: nothing waits. */
  async function step(queue: ClaimedQueue): Promise<Again | "rest"> {
    const key = { repositoryId: queue.repository_id, branch: queue.branch };
    const batch = await findBatch(db, key);
    const isLanding = batch?.state === "landing";
    if (queue.may_move !== true && !isLanding) return idleSeconds;
    const [entries, rule, tip] = await Promise.all([
      listEntries(db, key),
      deps.requirements.queueOf(key.repositoryId, key.branch),
      tipOf(key.repositoryId, key.branch),
    ]);
    if (entries.length === 0 && !batch) return "rest";
    const look = { queue, key, tip, entries, rule: rule ?? noRule };
    if (batch && isLanding) return goOn(look, batch);
    if (tip === zeroId) return batch ? ends.giveUp(look, { batch, members: [] }) : idleSeconds;
    if (!rule) return empty(look, batch);
    if (queue.paused_at !== null) return idleSeconds;
    return batch ? goOn(look, batch) : deps.makeBatch(look);
  }

  async function advance(queue: ClaimedQueue): Promise<void> {
    const again = await step(queue);
    if (again === "rest") await rest(db, queue);
    else await lookLater(db, queue, again);
  }

  async function tryLater(queue: ClaimedQueue, error: unknown): Promise<void> {
    // Whoever has it now goes on.
    if (error instanceof LookOver) return;
    if (error instanceof MembersChanged) return lookLater(db, queue, atOnce);
    const { repository_id: repositoryId, branch } = queue;
    deps.logger.warn(
      { err: error, repository_id: repositoryId, branch },
      "could not move a merge queue on; it will be tried again",
    );
    await lookLater(db, queue, afterProblem);
  }

  async function advanceDue(signal: AbortSignal): Promise<number> {
    let looked = 0;
    while (!signal.aborted) {
      const queue = await claimQueue(db);
      if (!queue) break;
      await advance(queue).catch((error: unknown) => tryLater(queue, error));
      looked += 1;
    }
    return looked;
  }

  return {
    advanceDue,
    periodicTasks: [{ name: "advance_merge_queues", everyMs: pollMs, atStart: true, run: advanceDue }],
  };
}

/** What is about to land does not ask it. */
const noRule = { max_batch: 1, max_wait_minutes: 1, checks: [], wantsRun: false };

/** All of it is there, and nothing comes before it. */
function isInFront({ entries }: Look, { batch, members }: BatchOf): boolean {
  return (
    members.length === batch.size &&
    entries.slice(0, batch.size).every(({ batch_id: id }: EntryRow) => id === batch.id)
  );
}
