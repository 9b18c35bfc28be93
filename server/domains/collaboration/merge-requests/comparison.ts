/**
 * Compares the branches of merge requests in the background, a few at a time in each server: whether they can be merged, whether
 * somebody has merged them with Git, and whether both are still there. What Git says counts, whatever was recorded before.
 */
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import {
  makeMergedResult,
  resultDate,
  type BranchTips,
} from "../../../platform/git/merging/merged-result.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { createGrowingWaits, failureWaits } from "../../../platform/growing-waits.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { MergeRequestRuns } from "../../pipelines/domain.ts";
import type { Closings } from "../references/closings.ts";
import type { ThreadPositions } from "../reviews/positions.ts";
import type { Place } from "../work-items/work-items.ts";
import { pairOf, type Branches } from "./branches.ts";
import { placeActor, type MergeRequestChanges } from "./changes.ts";
import type { OwnerRequests } from "./requirements/ask-owners.ts";
import { claimCheck, delayCheck, finishCheck, restCheck, type ClaimedCheck } from "./checks.store.ts";
import type { ForeignSources } from "./foreign-source.ts";
import { readBranches } from "./merge-requests.store.ts";

export interface MergeRequestComparison {
  /** Compares what is due; how many. Throws when the database does not answer. */
  compareDue(signal: AbortSignal): Promise<number>;
  periodicTasks: readonly PeriodicTask[];
}

export interface ComparisonDeps extends Pick<Platform, "git" | "storage" | "files" | "logger"> {
  db: Database;
  branches: Branches;
  changes: MergeRequestChanges;
  positions: ThreadPositions;
  foreignSources: Pick<ForeignSources, "follow">;
  ownerRequests: OwnerRequests;
  closings: Pick<Closings, "follow">;
  runs: Pick<MergeRequestRuns, "noteMergeable">;
}

interface Standing {
  head: string;
  target: string;
  /** The head itself, where the target has it; null: they share no history. */
  base: string | null;
}

const pollMs = 1_000;
/** Most of what a comparison takes is waiting for disks and processes; more at once would let those wait that somebody looks at. */
const atOnce = 4;
/** Others write what this one would find. */
const patienceSeconds = 5;

export function createMergeRequestComparison(deps: ComparisonDeps): MergeRequestComparison {
  const { db, git, storage, branches, changes, positions, ownerRequests } = deps;
  const waits = createGrowingWaits(failureWaits);

  const contains = (repositoryId: string, tip: string, commit: string) =>
    isAncestor(git.run, {
      directory: storage.directory(repositoryId),
      quarantine: null,
      before: commit,
      after: tip,
    });

  /** Paths that conflict; null where none do, and what the target would become is kept. */
  async function tryMerge(
    { repository_id: repositoryId, number }: ClaimedCheck,
    { result, ...tips }: Omit<BranchTips, "date"> & { result: string | undefined },
    signal: AbortSignal,
  ) {
    const place = { directory: storage.directory(repositoryId), signal };
    const commits = [tips.target, tips.head].map((sha) => deps.files.commitInfo(repositoryId, sha));
    const date = resultDate(await Promise.all(commits));
    const merged = await makeMergedResult(git, place, { ...tips, date });
    const commit = "commit" in merged ? merged.commit : undefined;
    if (commit !== result) await branches.keepResult(repositoryId, number ?? 0, commit);
    return "conflicts" in merged ? merged.conflicts : null;
  }

  async function rest(check: ClaimedCheck, number: number): Promise<void> {
    const { repository_id: repositoryId, head_sha: head } = check;
    await branches.keepHead(repositoryId, number, head);
    await branches.keepResult(repositoryId, number, undefined);
    await positions.follow({ id: check.id, repositoryId, head, base: null });
    return restCheck(db, check);
  }

  /**
   * With its work item locked, and as it was when the comparison began. Otherwise nothing: it is due again. A merge that began meanwhile
   * says by itself whose it is.
   */
  async function conclude(
    check: ClaimedCheck,
    change: (tx: Transaction, item: Place["item"]) => Promise<unknown>,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      const item = await changes.lock(tx, check.repository_id, check.number ?? 0);
      const now = await readBranches(tx, item.id);
      if (now.check_wanted !== check.check_wanted) return;
      if (now.is_merging) await delayCheck(tx, check, patienceSeconds);
      else await change(tx, item);
    });
  }

  const mergeWithout = (check: ClaimedCheck, sha: string, userId: string | null) =>
    conclude(check, (tx, item) => changes.merge(tx, { item, actor: placeActor(userId) }, sha));

  const closeLost = (check: ClaimedCheck) =>
    conclude(check, (tx, item) =>
      changes.close(tx, { item, actor: placeActor(check.source_pusher_id) }, "source_branch_deleted"),
    );

  const loseTarget = (check: ClaimedCheck) =>
    conclude(check, (tx, item) =>
      changes.loseTarget(tx, { item, actor: placeActor(null) }, check.target_branch),
    );

  /** Whether it has come to an end without a word from here, or is about to. */
  async function hasEnded(check: ClaimedCheck, { head, target, base }: Standing): Promise<boolean> {
    const { repository_id: repositoryId, merging_sha: merging } = check;
    if (check.is_merging) {
      await delayCheck(db, check, patienceSeconds);
      return true;
    }
    if (merging !== null && (await contains(repositoryId, target, merging))) {
      await mergeWithout(check, merging, check.merging_by);
      return true;
    }
    // A source branch that was set back to what the target had before is not merged.
    const isArrived =
      target !== check.target_sha && base === head && !(await contains(repositoryId, check.target_sha, head));
    if (isArrived) await mergeWithout(check, target, check.target_pusher_id);
    return isArrived;
  }

  async function compare(check: ClaimedCheck, signal: AbortSignal): Promise<void> {
    const { repository_id: repositoryId, number } = check;
    if (check.is_deleted !== false || number === null) return restCheck(db, check);
    if (!check.is_open) return rest(check, number);
    const isForeign = check.source_repository_id !== repositoryId;
    const followed = isForeign ? await deps.foreignSources.follow(check, signal) : "same";
    // It is due again.
    if (followed === "moved") return undefined;
    if (followed === "later") return delayCheck(db, check, patienceSeconds);
    const { head, target, kept, result } = await branches.tips(repositoryId, pairOf(check), number);
    if (!head) return closeLost(check);
    if (!target) return loseTarget(check);
    if (kept !== head) await branches.keepHead(repositoryId, number, head);
    const base = (await branches.base(repositoryId, target, head)) ?? null;
    // Somebody may have merged it with Git before the branch was deleted.
    if (await hasEnded(check, { head, target, base })) return undefined;
    if (followed === "lost") return closeLost(check);
    // Without a common history Git refuses to merge them.
    if (base === null && result !== undefined) await branches.keepResult(repositoryId, number, undefined);
    const conflicts = base === null ? [] : await tryMerge(check, { target, head, result }, signal);
    await positions.follow({ id: check.id, repositoryId, head, base });
    // Nobody is asked for a draft, until it is ready.
    if (!check.draft) {
      const { id, author_id: authorId } = check;
      await ownerRequests.ask(repositoryId, { id, number, authorId, head, target });
    }
    await deps.closings.follow({
      id: check.id,
      repositoryId,
      head,
      target,
      targetBranch: check.target_branch,
    });
    // Before it can be merged, so that nothing merges it by itself without the runs that it waits for.
    if (base !== null && conflicts === null) await deps.runs.noteMergeable(db, check.id);
    await finishCheck(db, check, { head, target, base, conflicts });
  }

  /** What is due, one after the other. */
  async function compareInTurn(signal: AbortSignal): Promise<number> {
    let compared = 0;
    for (let check = await claimCheck(db); check && !signal.aborted; check = await claimCheck(db)) {
      try {
        await compare(check, signal);
        waits.forget(check.id);
      } catch (error) {
        const { id, repository_id: repositoryId } = check;
        deps.logger.warn(
          { err: error, merge_request_id: id, repository_id: repositoryId },
          "could not compare the branches of a merge request; it will be tried again",
        );
        await delayCheck(db, check, waits.next(id));
      }
      compared += 1;
    }
    return compared;
  }

  async function compareDue(signal: AbortSignal): Promise<number> {
    // The next round begins once all of this one have ended, whatever became of them.
    const lanes = await Promise.allSettled(Array.from({ length: atOnce }, () => compareInTurn(signal)));
    return lanes.reduce((sum, lane) => {
      if (lane.status === "rejected") throw lane.reason;
      return sum + lane.value;
    }, 0);
  }

  return {
    compareDue,
    periodicTasks: [{ name: "compare_merge_requests", everyMs: pollMs, atStart: true, run: compareDue }],
  };
}
