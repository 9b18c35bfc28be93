/** What happens to merge requests, each in the transaction of its change: states, the timeline, and who is told. */
import type { ForkRunEnd } from "@forgeline/schemas/approvals/fork-run-ends.ts";
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { reachOf, type Reach } from "../../../platform/access/reach.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import type { MergeRequestRuns } from "../../pipelines/domain.ts";
import type { Departure, QueueDepartures } from "../merge-queue/departures.ts";
import type { References } from "../references/references.ts";
import type { ReviewRequest } from "../reviews/reviewers.ts";
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

/** Of which the runs of a merge request know nothing. */
type OtherAction =
  | "auto_merge_enabled"
  | "auto_merge_disabled"
  | "review_requested"
  | "approval_requested"
  | "approval_ended";

/** What an event says besides the merge request. */
interface Said {
  reason?: AutoMergeEnd | ForkRunEnd;
  requested?: ReviewRequest;
  /** Who had asked for the merge that it ends: they are told of it. */
  asked_by?: readonly string[];
  /** It was merged without what rules require. */
  bypass?: MergeBypass | undefined;
}

type LostBranch = "source_branch_deleted" | "target_branch_deleted";

/** What happened of itself: nothing is locked. */
interface EventPlace extends Pick<Place, "actor"> {
  item: Pick<Place["item"], "repository_id" | "number">;
}

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
  /** `sha` is what the target branch moved to; `byQueue`: the queue moved it. False where its state does not allow it. */
  merge(tx: Transaction, place: Place & { byQueue?: boolean }, sha: string): Promise<boolean>;
  /** Out of the merge queue, without being merged; `reason` in words. Nothing happens to one that is not in it. */
  dequeue(tx: Transaction, place: Place, reason: string): Promise<void>;
  /** These are told, also those who were asked before. Nothing for nobody. */
  askReview(tx: Transaction, place: Place, asked: ReviewRequest): Promise<void>;
  /** Runs of it wait for an approval, or (with an end) one of them does no longer. */
  tellOfApproval(tx: Transaction, place: EventPlace, end?: ForkRunEnd): Promise<void>;
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
    { item, actor }: EventPlace,
    { action, bypass, ...more }: { action: MergeRequestAction | OtherAction } & Said,
  ) {
    const { repository_id: repositoryId, number } = item;
    const row = await snapshot(tx, repositoryId, number);
    const sent = { repositoryId, senderId: actor.userId };
    const subject = { merge_request: row, ...more, ...(bypass && { bypassed: true, bypass }) };
    await recordRepositoryEvents(tx, sent, [{ kind: "merge_request", action, subject }]);
    tx.count("forgeline_collaboration_changes_total", { kind: "merge_request", action });
    return row;
  }

  async function endAutoMerge(tx: Transaction, place: Place, reason: AutoMergeEnd) {
    const removed = await removeAutoMerge(tx, place.item.id);
    if (!removed) return undefined;
    await workItems.record(tx, place, [{ kind: "auto_merge_disabled", details: { reason } }]);
    const asked_by = othersThan(place, [removed.userId]);
    await recordEvent(tx, place, { action: "auto_merge_disabled", reason, asked_by });
    tx.count("forgeline_auto_merges_total", { outcome: reason });
    return removed;
  }

  /** `askers`: who had asked for the merge that it ends, whoever they are. */
  async function tell(
    tx: Transaction,
    place: Place & Brought & { askers?: readonly string[] } & Pick<Said, "bypass">,
    action: MergeRequestAction,
  ) {
    const { item, actor, bringerId, byJob = isJob(actor), bypass } = place;
    const ends = await followAutoMerge(tx, item.id, { action, bringerId: bringerId ?? null });
    const waited = ends && (await endAutoMerge(tx, place, ends));
    const asked_by = [...(place.askers ?? []), ...othersThan(place, [waited?.userId ?? null])];
    const row = await recordEvent(tx, place, { action, asked_by, bypass });
    const cause = { actorId: actor.userId, reach: reachOfPlace(actor), bringerId, byJob };
    await runs.follow(tx, subjectOf(row), { action, ...cause });
    const left = await queue.follow(tx, row);
    if (left !== undefined) await recordDequeued(tx, place, left);
  }

  async function recordDequeued(tx: Transaction, { item, actor }: Place, left: Departure): Promise<void> {
    await workItems.record(tx, { item, actor }, [{ kind: "dequeued", details: { reason: left.reason } }]);
    await tell(tx, { item, actor, askers: othersThan({ actor }, [left.queuedBy]) }, "dequeued");
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
    async endAutoMerge(tx, place, reason) {
      return (await endAutoMerge(tx, place, reason)) !== undefined;
    },
    askReview: async (tx, place, requested) => {
      if (requested.users.length + requested.teams.length > 0)
        await recordEvent(tx, place, { action: "review_requested", requested });
    },
    async tellOfApproval(tx, place, reason) {
      const said = reason === undefined ? {} : { reason };
      await recordEvent(tx, place, { action: reason ? "approval_ended" : "approval_requested", ...said });
    },
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
      const { byItself, asker } = await endByMerge(tx, place.item.id, sha);
      const details = { from: null, to: sha, ...(byItself ? { reason: "auto_merge" } : {}) };
      await workItems.moveState(tx, place, { state, event: { kind: "merged", details } });
      // Whoever asked is told of what happens later in their name, but not of what they do now.
      const inTheirName = place.byQueue ? place.actor.userId : byItself ? asker : null;
      const askers = inTheirName === null ? othersThan(place, [asker]) : [inTheirName];
      await tell(tx, { ...place, askers, bypass: bypass ?? undefined }, "merged");
      await references.closeFixed(tx, place);
      return true;
    },
    async dequeue(tx, place, reason) {
      const removed = await queue.remove(tx, place.item.id);
      if (removed) await recordDequeued(tx, place, { reason, ...removed });
    },
    async synchronize(tx, place, { from, to, byJob }) {
      await tx.query(statements.setHead, [place.item.id, to]);
      await workItems.record(tx, place, [{ kind: "pushed", details: { from, to } }]);
      await tell(tx, { ...place, bringerId: place.actor.userId, byJob }, "synchronized");
    },
  };
}

function othersThan({ actor }: Pick<Place, "actor">, ids: readonly (string | null)[]): string[] {
  return ids.flatMap((id) => (id === null || id === actor.userId ? [] : id));
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

function isJob(actor: Place["actor"]): boolean {
  return "kind" in actor && actor.kind === "job";
}

/** As the system, or as somebody of whom no more is known. */
export function placeActor(userId: string | null): Pick<Actor, "userId"> {
  return { userId };
}
