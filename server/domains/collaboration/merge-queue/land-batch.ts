/**
 * Lands a batch whose runs have succeeded: each member says that it is about to be merged, and one push moves the branch from where it
 * was to exactly the commit that was tested. The record of that push says that all are merged (`push-follower.ts`).
 */
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { MergePass, PushService } from "../../hosting/domain.ts";
import type { MergeRequestChanges } from "../merge-requests/changes.ts";
import type { Landing, QueuedMerging } from "../merge-requests/queued-merging.ts";
import {
  afterProblem,
  atOnce,
  hold,
  isPassing,
  LookOver,
  queuedOf,
  soon,
  type Again,
  type BatchEnds,
  type BatchOf,
  type Look,
} from "./batch.ts";
import { lockMembers, removeMerged, type EntryRow } from "./entries.store.ts";
import type { MergeQueueMetrics } from "./metrics.ts";
import { isQueueHeld, passBatch } from "./queues.store.ts";

export interface LandBatchDeps extends Pick<Platform, "git" | "storage"> {
  db: Database;
  changes: Pick<MergeRequestChanges, "lock">;
  merging: Pick<
    QueuedMerging,
    "ready" | "base" | "begin" | "end" | "isUnderWay" | "passFor" | "takeLargeFiles" | "tidy"
  >;
  pushes: Pick<PushService, "move">;
  ends: BatchEnds;
  metrics: MergeQueueMetrics;
}

export interface BatchLanding {
  land(look: Look, of: BatchOf): Promise<Again>;
  /** Of one of which the server died, or that is not recorded yet. */
  goOn(look: Look, of: BatchOf): Promise<Again>;
}

export function createBatchLanding(deps: LandBatchDeps): BatchLanding {
  const { db, merging, ends, metrics } = deps;

  /** undefined: one of them may not land any more, and has left. */
  async function readyAll(look: Look, { batch, members }: BatchOf): Promise<Landing[] | undefined> {
    const landing: Landing[] = [];
    const tested = { sha: batch.sha, runs: batch.pipeline_ids };
    for (const entry of members) {
      const at = { branch: look.key.branch, target: batch.base_sha, tested };
      const ready = await merging
        .ready(look.key.repositoryId, queuedOf(entry), at)
        .catch((error: unknown) => asRefusal(error));
      if ("refused" in ready) {
        await ends.drop(look, entry, ready.refused);
        return undefined;
      }
      const onto = landing.at(-1)?.sha ?? batch.base_sha;
      const base = await merging.base(ready.row, { head: entry.head_sha, target: onto });
      landing.push({ ...ready, sha: entry.merge_sha ?? batch.sha, onto, base: base ?? onto });
    }
    return landing;
  }

  async function begin(look: Look, { batch }: BatchOf, landing: readonly Landing[]): Promise<void> {
    const step = stepOf(look, batch);
    for (const each of landing) await merging.takeLargeFiles(each, step);
    await db.transaction(async (tx) => {
      // In one order, so that two who lock several do not wait for each other.
      const inOrder = landing.toSorted((one, other) => one.row.number - other.row.number);
      for (const { row } of inOrder) await deps.changes.lock(tx, look.key.repositoryId, row.number);
      await hold(tx, look);
      // Whoever has left meanwhile must not land with the others.
      const members = await lockMembers(tx, batch.id);
      const isWhole = members.length === batch.size && landing.every(({ row }, at) => row.id === members[at]);
      if (!isWhole || !(await passBatch(tx, batch.id))) throw new AppError("conflict");
      for (const each of inOrder) await merging.begin(tx, each, step);
    });
  }

  /** Judging takes time. Past the lease another server may have given up what this one lands. */
  const fenced = ({ queue }: Look, pass: MergePass): MergePass => ({
    ...pass,
    async judge(asked) {
      const verdict = await pass.judge(asked);
      if (!(await isQueueHeld(db, queue))) throw new LookOver();
      return verdict;
    },
  });

  async function move(look: Look, of: BatchOf, landing: readonly Landing[]): Promise<Again> {
    const { batch } = of;
    const last = landing.at(-1);
    if (!last) return ends.giveUp(look, of);
    const step = stepOf(look, batch);
    const pass = fenced(look, merging.passFor(look.key.repositoryId, landing, step));
    const update = { ref: `refs/heads/${look.key.branch}`, before: batch.base_sha, after: batch.sha };
    try {
      await deps.pushes.move(last.granted.repository, last.actor, { update, pass });
    } catch (error) {
      // Whether it has moved is not known then: whoever looks next finds out.
      if (!(error instanceof AppError)) throw error;
      await merging.end(landing);
      if (isPassing(error)) return afterProblem;
      return error.code === "conflict" ? ends.giveUp(look, of) : ends.fail(look, of, error.message);
    }
    // The record of the push says what is merged.
    return atOnce;
  }

  /** Safe to repeat: what is done of it is found done. */
  async function finish(look: Look, { batch, members }: BatchOf): Promise<Again> {
    const { repositoryId } = look.key;
    for (const entry of members)
      await merging.tidy(repositoryId, { ...queuedOf(entry), deletesBranch: entry.delete_source_branch });
    await db.transaction(async (tx) => {
      await hold(tx, look);
      await removeMerged(tx, batch.id);
      await ends.remove(tx, [batch]);
    });
    await ends.removeRefs(look, [batch]);
    metrics.ended("landed");
    for (const { queued_at: since } of members) metrics.waited((Date.now() - since.getTime()) / 1000);
    return atOnce;
  }

  const hasMoved = async ({ key, tip }: Look, sha: string) =>
    tip !== zeroId &&
    (await isAncestor(deps.git.run, {
      directory: deps.storage.directory(key.repositoryId),
      quarantine: null,
      before: sha,
      after: tip,
    }));

  async function land(look: Look, of: BatchOf): Promise<Again> {
    const landing = await readyAll(look, of);
    if (!landing) return ends.giveUp(look, of);
    try {
      await begin(look, of, landing);
    } catch (error) {
      // One of them is being merged or has changed right now.
      if (error instanceof AppError && error.code === "conflict") return soon;
      if (error instanceof AppError && !isPassing(error)) return ends.fail(look, of, error.message);
      throw error;
    }
    return move(look, of, landing);
  }

  return {
    land,
    async goOn(look, of) {
      const { batch, members } = of;
      if (await hasMoved(look, batch.sha)) {
        const isRecorded = members.every((entry: EntryRow) => entry.item_state !== "open");
        return isRecorded ? finish(look, of) : soon;
      }
      // The branch had moved, and was deleted then.
      if (look.tip === zeroId && areMerged(members)) return finish(look, of);
      const landing = members.map(({ merge_request_id: id, merge_sha: sha }) => ({
        row: { id },
        sha: sha ?? batch.sha,
      }));
      // It may still be about to move.
      for (const { row } of landing) if (await merging.isUnderWay(row.id)) return soon;
      await merging.end(landing);
      return ends.giveUp(look, of);
    },
  };
}

function areMerged(members: readonly EntryRow[]): boolean {
  return members.length > 0 && members.every(({ item_state: state }) => state === "merged");
}

function stepOf({ key }: Look, { base_sha: base, sha: tip, pipeline_ids: runs }: BatchOf["batch"]) {
  return { branch: key.branch, base, tip, runs };
}

function asRefusal(error: unknown): { refused: string } {
  if (error instanceof AppError && !isPassing(error)) return { refused: error.message };
  throw error;
}
