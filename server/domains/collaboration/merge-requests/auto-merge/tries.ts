/**
 * Tries to merge what waits for it, in the background: when something has changed, soon after what only failed for the moment, and
 * every minute besides. Whether it may still be merged, by whom and in which way, is judged at each try. Merging itself is safe
 * against whatever dies (`merging.ts`).
 */
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";
import { AppError } from "../../../../platform/app-error.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { createGrowingWaits, failureWaits } from "../../../../platform/growing-waits.ts";
import type { Logger } from "../../../../platform/logger.ts";
import type { PeriodicTask } from "../../../../platform/periodic-tasks.ts";
import type { MergeQueueService } from "../../merge-queue/service.ts";
import type { MergeRequestRuns } from "../../../pipelines/domain.ts";
import { placeActor, type MergeRequestChanges } from "../changes.ts";
import type { Later, LaterActors } from "../later-actor.ts";
import { findMergeRequest, type MergeRequestRow } from "../merge-requests.store.ts";
import type { MergeRequestMerging } from "../merging.ts";
import type { MergeRequirements } from "../requirements/service.ts";
import { claim, isStillWanted, wait, wakeByRuns, type ClaimedAutoMerge } from "../auto-merges.store.ts";
import { lookSeconds, refusalOf, soonSeconds } from "./refusal.ts";

export interface AutoMergeTries {
  /** This one, if nobody else is trying it. Does not throw for what stands in the way. */
  tryNow(id: string): Promise<void>;
  /** All that are due; how many. Throws when the database does not answer. */
  tryDue(signal: AbortSignal): Promise<number>;
  periodicTasks: readonly PeriodicTask[];
}

export interface AutoMergeTriesDeps {
  db: Database;
  logger: Logger;
  changes: Pick<MergeRequestChanges, "lock" | "endAutoMerge">;
  merging: MergeRequestMerging;
  requirements: Pick<MergeRequirements, "standingOf" | "queueOf">;
  mergeQueue: Pick<MergeQueueService, "add">;
  laterActors: LaterActors;
  runs: Pick<MergeRequestRuns, "standingOf">;
}

const pollMs = 1_000;
/** Runs say nothing here when they begin or end, and looking at those of all that wait takes longer than at what is due. */
const lookAtRunsMs = 2_000;

interface Waiting {
  problem: string | null;
  seconds?: number;
  /** It may be over in a moment, and nothing tells. */
  passing?: true;
}
type Outcome = { ends: AutoMergeEnd } | Waiting | "done";

export function createAutoMergeTries(deps: AutoMergeTriesDeps): AutoMergeTries {
  const { db, changes } = deps;
  const waits = createGrowingWaits(failureWaits);

  /** Undefined: nothing stands in the way. */
  async function obstacle(
    { actor, granted }: Later,
    { row, claimed }: { row: MergeRequestRow; claimed: ClaimedAutoMerge },
  ): Promise<Outcome | undefined> {
    if (row.mergeability === "conflict") return { ends: "conflict" };
    const standing = await deps.requirements.standingOf(actor, granted, row);
    if (!standing.mayMerge) return { ends: "access" };
    // A rule that came after it was asked for would ask for this of a direct merge.
    if (standing.hasRules && !claimed.may_push) return { ends: "scope" };
    if (row.draft || standing.blockedBy.length > 0) return { problem: null };
    if (row.mergeability !== "clean") return { problem: null, passing: true };
    if (standing.wantsRuns) return undefined;
    const runs = await deps.runs.standingOf(row.repository_id, { number: row.number, sha: row.head_sha });
    if (runs === "passed") return undefined;
    return { problem: runTexts[runs], ...(runs === "due" ? { seconds: soonSeconds } : {}) };
  }

  async function attempt(claimed: ClaimedAutoMerge): Promise<Outcome> {
    const { repository_id: repositoryId, number, strategy } = claimed;
    const row = await findMergeRequest(db, repositoryId, number);
    if (row?.state !== "open") return { problem: null };
    const later = await deps.laterActors.find(claimed.user_id, repositoryId);
    if ("lost" in later) return { ends: later.lost };
    const inTheWay = await obstacle(later, { row, claimed });
    if (inTheWay) return inTheWay;
    const message = claimed.commit_message;
    const merge = {
      number,
      strategy,
      sha: row.head_sha,
      delete_source_branch: claimed.delete_source_branch,
      ...(message === null ? {} : { commit_message: message }),
    };
    if (await deps.requirements.queueOf(repositoryId, row.target_branch))
      await deps.mergeQueue.add(later.actor, later.granted, {
        ...merge,
        isStillWanted: (tx) => isStillWanted(tx, claimed),
      });
    else await deps.merging.merge(later.actor, later.granted, { ...merge, bypass: false, waited: claimed });
    return "done";
  }

  async function end(claimed: ClaimedAutoMerge, reason: AutoMergeEnd): Promise<void> {
    await db.transaction(async (tx) => {
      const item = await changes.lock(tx, claimed.repository_id, claimed.number);
      if (!(await isStillWanted(tx, claimed))) return;
      await changes.endAutoMerge(tx, { item, actor: placeActor(null) }, reason);
    });
  }

  async function attemptToEnd(claimed: ClaimedAutoMerge): Promise<Waiting | "done"> {
    const outcome = await attempt(claimed).catch((error: unknown): Outcome => {
      if (!(error instanceof AppError)) throw error;
      return refusalOf(error, (Date.now() - claimed.enabled_at.getTime()) / 1_000);
    });
    if (outcome === "done" || !("ends" in outcome)) return outcome;
    await end(claimed, outcome.ends);
    return "done";
  }

  async function attemptClaimed(claimed: ClaimedAutoMerge): Promise<void> {
    const { merge_request_id: id, repository_id: repositoryId } = claimed;
    const outcome = await attemptToEnd(claimed).catch((error: unknown): Waiting | "done" => {
      const ids = { merge_request_id: id, repository_id: repositoryId };
      deps.logger.warn({ err: error, ...ids }, "could not merge what waits for it; it will be tried again");
      return { problem: null, passing: true };
    });
    if (outcome === "done" || !outcome.passing) waits.forget(id);
    if (outcome === "done") return;
    const { problem, passing, seconds = passing ? waits.next(id) : lookSeconds } = outcome;
    await wait(db, claimed, { seconds, problem });
  }

  let runsLookedAt = -Infinity;

  async function tryDue(signal: AbortSignal): Promise<number> {
    if (performance.now() - runsLookedAt >= lookAtRunsMs) {
      await wakeByRuns(db);
      runsLookedAt = performance.now();
    }
    let tried = 0;
    for (let claimed = await claim(db); claimed && !signal.aborted; claimed = await claim(db)) {
      await attemptClaimed(claimed);
      tried += 1;
    }
    return tried;
  }

  return {
    async tryNow(id) {
      const claimed = await claim(db, id);
      if (claimed) await attemptClaimed(claimed);
    },
    tryDue,
    periodicTasks: [{ name: "try_auto_merges", everyMs: pollMs, atStart: true, run: tryDue }],
  };
}

const runTexts = {
  due: "Its pipelines have not begun yet.",
  running: "Its pipelines have not ended yet.",
  failed: "A pipeline of its newest commit has not succeeded: run it again, or push a correction.",
};
