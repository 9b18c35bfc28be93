/** What happens to merge requests, each in the transaction of its change: states, the timeline, and who is told. */
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { reachOf, type Reach } from "../../../platform/access/reach.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import type { MergeRequestRuns } from "../../pipelines/domain.ts";
import type { QueueDepartures } from "../merge-queue/departures.ts";
import type { References } from "../references/references.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import { remove as removeAutoMerge } from "./auto-merges.store.ts";
import { endByMerge, followAutoMerge } from "./auto-merge/follow.ts";
import {
  findMergeRequest,
  setMerged,
  statements,
  type MergeBypass,
  type MergeRequestRow,
} from "./merge-requests.store.ts";
import { findNextTarget, retarget } from "./pushed.store.ts";
import { mergeRequestStates } from "./merge-request-states.ts";

export type MergeRequestAction =
  | "opened"
  | "edited"
  | "closed"
  | "reopened"
  | "merged"
  | "synchronized"
  | "queued"
  | "dequeued";

export type AutoMergeAction = "auto_merge_enabled" | "auto_merge_disabled";

type LostBranch = "source_branch_deleted" | "target_branch_deleted";

export interface MergeRequestChanges {
  /** Others that change it wait until the transaction ends. Throws `not_found`. */
  lock(tx: Transaction, repositoryId: string, number: number): Promise<Place["item"]>;
  /** As an event keeps it. Throws `not_found`. */
  snapshot(tx: Transaction, repositoryId: string, number: number): Promise<MergeRequestRow>;
  /** Into the timeline, and nobody is told. */
  note(tx: Transaction, place: Place, kind: "branch_deleted" | "branch_restored"): Promise<void>;
  tell(tx: Transaction, place: Place & Brought, action: MergeRequestAction): Promise<void>;
  /** It is merged by itself from now on, as soon as it can be. */
  startAutoMerge(tx: Transaction, place: Place): Promise<void>;
  /** It is not merged by itself any more; the timeline says why. False where nobody asked for it. */
  endAutoMerge(tx: Transaction, place: Place, reason: AutoMergeEnd): Promise<boolean>;
  /** False where its state does not allow it. */
  close(tx: Transaction, place: Place, reason?: LostBranch): Promise<boolean>;
  /** It goes to where its target branch was merged; otherwise it is closed. Its state may not allow either. */
  loseTarget(tx: Transaction, place: Place, target: string): Promise<void>;
  /** `sha` is what the target branch moved to. False where its state does not allow it. */
  merge(tx: Transaction, place: Place, sha: string): Promise<boolean>;
  /** Out of the merge queue, without being merged; `reason` in words. Nothing happens to one that is not in it. */
  dequeue(tx: Transaction, place: Place, reason: string): Promise<void>;
  /** The source branch moved: the actor brought what it has now. */
  synchronize(
    tx: Transaction,
    place: Place,
    head: { from: string; to: string; byJob?: boolean },
  ): Promise<void>;
}

/** How a new head came. */
export interface Brought {
  /** Null: a job, or nobody that is known. Absent: it is no new one. */
  bringerId?: string | null | undefined;
  byJob?: boolean | undefined;
}

/** What is told besides. */
interface Told {
  reason?: AutoMergeEnd;
  /** It was merged without what rules require. */
  bypass?: MergeBypass | undefined;
}

/** What follows from a change, in its transaction. */
export interface MergeRequestConsequences {
  references: Pick<References, "closeFixed">;
  runs: Pick<MergeRequestRuns, "follow">;
  queue: QueueDepartures;
}

export function createMergeRequestChanges(
  workItems: WorkItems,
  { references, runs, queue }: MergeRequestConsequences,
): MergeRequestChanges {
  async function snapshot(tx: Transaction, repositoryId: string, number: number) {
    const row = await findMergeRequest(tx, repositoryId, number);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function recordEvent(
    tx: Transaction,
    { item, actor }: Place,
    { action, bypass, ...more }: Told & { action: MergeRequestAction | AutoMergeAction },
  ) {
    const { repository_id: repositoryId, number } = item;
    const row = await snapshot(tx, repositoryId, number);
    const sent = { repositoryId, senderId: actor.userId };
    const subject = { merge_request: row, ...more, ...(bypass && { bypassed: true, bypass }) };
    await recordRepositoryEvents(tx, sent, [{ kind: "merge_request", action, subject }]);
    tx.count("forgeline_collaboration_changes_total", { kind: "merge_request", action });
    return row;
  }

  async function endAutoMerge(tx: Transaction, place: Place, reason: AutoMergeEnd): Promise<boolean> {
    if (!(await removeAutoMerge(tx, place.item.id))) return false;
    await workItems.record(tx, place, [{ kind: "auto_merge_disabled", details: { reason } }]);
    await recordEvent(tx, place, { action: "auto_merge_disabled", reason });
    tx.count("forgeline_auto_merges_total", { outcome: reason });
    return true;
  }

  async function tell(tx: Transaction, place: Place & Brought & Told, action: MergeRequestAction) {
    const { item, actor, bringerId, byJob, bypass } = place;
    const ends = await followAutoMerge(tx, item.id, { action, bringerId: bringerId ?? null });
    if (ends) await endAutoMerge(tx, place, ends);
    const row = await recordEvent(tx, place, { action, bypass });
    const cause = { actorId: actor.userId, reach: reachOfPlace(actor), bringerId, byJob };
    await runs.follow(tx, subjectOf(row), { action, ...cause });
    const left = await queue.follow(tx, row);
    if (left !== undefined) await recordDequeued(tx, place, left);
  }

  async function recordDequeued(tx: Transaction, { item, actor }: Place, reason: string): Promise<void> {
    await workItems.record(tx, { item, actor }, [{ kind: "dequeued", details: { reason } }]);
    await tell(tx, { item, actor }, "dequeued");
  }

  const next = ({ item }: Place, event: "close" | "merge") => mergeRequestStates.next(item.state, event);

  async function close(tx: Transaction, place: Place, reason?: LostBranch): Promise<boolean> {
    const state = next(place, "close");
    if (!state) return false;
    await tx.query(statements.setClosed, [place.item.id]);
    const details = reason === undefined ? {} : { reason };
    await workItems.moveState(tx, place, { state, event: { kind: "closed", details } });
    await tell(tx, place, "closed");
    return true;
  }

  return {
    lock: (tx, repositoryId, number) => workItems.lock(tx, { repositoryId, number, kind: "merge_request" }),
    snapshot,
    note: (tx, place, kind) => workItems.record(tx, place, [{ kind }]),
    tell,
    async startAutoMerge(tx, place) {
      await workItems.record(tx, place, [{ kind: "auto_merge_enabled" }]);
      await recordEvent(tx, place, { action: "auto_merge_enabled" });
    },
    endAutoMerge,
    close,
    async loseTarget(tx, place, from) {
      const { id, repository_id: repositoryId } = place.item;
      const to = await findNextTarget(tx, repositoryId, from);
      if (to === undefined || !(await retarget(tx, id, to))) {
        await close(tx, place, "target_branch_deleted");
        return;
      }
      await workItems.record(tx, place, [{ kind: "retargeted", details: { from, to } }]);
      await tell(tx, place, "edited");
    },
    async merge(tx, place, sha) {
      const state = next(place, "merge");
      if (!state) return false;
      const bypass = await setMerged(tx, { id: place.item.id, sha, userId: place.actor.userId });
      if (bypass)
        await workItems.record(tx, place, [{ kind: "bypassed", details: { reason: bypass.reason } }]);
      const byItself = await endByMerge(tx, place.item.id, sha);
      const details = { from: null, to: sha, ...(byItself ? { reason: "auto_merge" } : {}) };
      await workItems.moveState(tx, place, { state, event: { kind: "merged", details } });
      await tell(tx, { ...place, bypass: bypass ?? undefined }, "merged");
      await references.closeFixed(tx, place);
      return true;
    },
    async dequeue(tx, place, reason) {
      if (await queue.remove(tx, place.item.id)) await recordDequeued(tx, place, reason);
    },
    async synchronize(tx, place, { from, to, byJob }) {
      await tx.query(statements.setHead, [place.item.id, to]);
      await workItems.record(tx, place, [{ kind: "pushed", details: { from, to } }]);
      await tell(tx, { ...place, bringerId: place.actor.userId, byJob }, "synchronized");
    },
  };
}

function subjectOf(row: MergeRequestRow) {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    number: row.number,
    isOpen: row.is_open,
    sourceRepositoryId: row.source_repository_id,
    sourceBranch: row.source_branch,
    targetBranch: row.target_branch,
    headSha: row.head_sha,
    title: row.title,
    draft: row.draft,
    labels: row.labels.map(({ name }) => name),
    authorId: row.author_id,
  };
}

/** Of somebody of whom no more is known, the narrowest. */
function reachOfPlace(actor: Place["actor"]): Reach {
  return "kind" in actor ? reachOf(actor as Actor) : "here";
}

/** As the system, or as somebody of whom no more is known. */
export function placeActor(userId: string | null): Pick<Actor, "userId"> {
  return { userId };
}
