/**
 * Moves merge queues on, one queue at a time in each server: makes batches, asks their runs, lands the first or splits it. Each step is one
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
import { judgeTested, nextBatchSize, soundBatches, stepAfter, type Verdict } from "./batch-plan.ts";
import { listEntries } from "./entries.store.ts";
import type { BatchLanding } from "./land-batch.ts";
import { MembersChanged } from "./make-batch.ts";
import {
  claimQueue,
  listBatches,
  lookLater,
  rest,
  type BatchRow,
  type ClaimedQueue,
} from "./queues.store.ts";

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

  async function verdictOf(look: Look, batch: BatchRow): Promise<Verdict> {
    const tested = { sha: batch.sha, runs: batch.pipeline_ids };
    const { checks: wanted, wantsRun, max_wait_minutes: maxWaitMinutes } = look.rule;
    const [runs, checks] = await Promise.all([
      deps.runs.read(batch.pipeline_ids),
      wanted.length === 0 ? [] : deps.runs.checks(look.key.repositoryId, tested, wanted),
    ]);
    const waitedMinutes = (Date.now() - batch.created_at.getTime()) / 60_000;
    const runsMade = batch.pipeline_ids.length;
    return judgeTested({ runs, runsMade, checks, wantsRun, waitedMinutes, maxWaitMinutes });
  }

  async function settle(look: Look): Promise<Again> {
    const unsound = look.batches[soundBatches(look.batches, look)];
    if (unsound) return ends.giveUp(look, { batch: unsound });
    const judged = await Promise.all(
      look.batches.map(async (batch) => ({ batch, verdict: await verdictOf(look, batch) })),
    );
    const step = stepAfter(judged);
    if (step?.do === "land") return landing.land(look, withMembers(look, step.batch));
    if (step?.do === "fail") return ends.fail(look, withMembers(look, step.batch), step.reason);
    if (step?.do === "giveUp") return ends.giveUp(look, step);
    const hasRoom = step !== undefined && nextBatchSize(look.batches, look.entries, look.rule) > 0;
    return hasRoom ? deps.makeBatch(look) : soon;
  }

  /** Without a rule, what is about to land is seen through. */
  async function empty(look: Look, batch: BatchRow | undefined): Promise<Again> {
    if (batch) return ends.giveUp(look, { batch });
    for (const entry of look.entries) await ends.drop(look, entry, noQueueText);
    return atOnce;
  }

  /** `rest`: nothing waits. */
  async function step(queue: ClaimedQueue): Promise<Again | "rest"> {
    const key = { repositoryId: queue.repository_id, branch: queue.branch };
    const batches = await listBatches(db, key);
    const [batch] = batches;
    const isLanding = batch?.state === "landing";
    if (queue.may_move !== true && !isLanding) return idleSeconds;
    const [entries, rule, tip] = await Promise.all([
      listEntries(db, key),
      deps.requirements.queueOf(key.repositoryId, key.branch),
      tipOf(key.repositoryId, key.branch),
    ]);
    if (entries.length === 0 && !batch) return "rest";
    const look = { queue, key, tip, entries, batches, rule: rule ?? noRule };
    if (batch && isLanding) return landing.goOn(look, withMembers(look, batch));
    if (tip === zeroId) return batch ? ends.giveUp(look, { batch }) : idleSeconds;
    if (!rule) return empty(look, batch);
    if (queue.paused_at !== null) return idleSeconds;
    return settle(look);
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
const noRule = { max_batch: 1, parallel_batches: 1, max_wait_minutes: 1, checks: [], wantsRun: false };

function withMembers({ entries }: Look, batch: BatchRow): BatchOf {
  return { batch, members: entries.filter(({ batch_id: id }) => id === batch.id) };
}
