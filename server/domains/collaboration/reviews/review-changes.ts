/** What happens to reviews and threads, each in the transaction of its change: what is written, the timeline, and who is told. */
import type { ReviewEvent } from "@forgeline/schemas/reviews/resource.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import {
  maxOwnReviews,
  maxOwnThreads,
  maxPendingComments,
  maxReviews,
  maxThreads,
} from "@forgeline/schemas/reviews/resource.ts";
import { userIdOf } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { noteMentioned } from "../attachments/note-mentioned.ts";
import type { Caller } from "../comments/service.ts";
import type { ThreadComments } from "../comments/thread-comments.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import type { References } from "../references/references.ts";
import { mayChange, viewerOf } from "../work-items/may-change.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import { reviewStates } from "./review-states.ts";
import * as store from "./reviews.store.ts";
import type { FoundPlace } from "./thread-places.ts";
import { insertThread, statements as threadStatements } from "./threads.store.ts";

/** The work item of the merge request is locked. */
export interface Reviewing extends Caller {
  item: Place["item"];
}

/** What merge requests do for reviews. */
export interface ReviewedMergeRequests {
  /** Others that change it wait until the transaction ends. Throws `not_found`. */
  lock(tx: Transaction, repositoryId: string, number: number): Promise<Place["item"]>;
  /** As an event keeps it. Throws `not_found`. */
  snapshot(tx: Transaction, repositoryId: string, number: number): Promise<object>;
  /** Its branches are compared again, and threads follow them. */
  compareAgain(tx: Transaction, id: string): Promise<void>;
  /** Whether it can be merged may be another answer now. */
  judgeAgain(tx: Transaction, id: string): Promise<void>;
}

export interface ReviewChanges {
  /** Throws `forbidden` where the conversation is locked. */
  lock(tx: Transaction, caller: Caller, number: number): Promise<Reviewing>;
  /** The caller's pending review; begun if there is none. Throws `conflict` past the bound. */
  pending(tx: Transaction, reviewing: Reviewing, headSha: string | null): Promise<store.PendingReview>;
  /** Throws `conflict` where there is one, and past the bound. */
  begin(
    tx: Transaction,
    reviewing: Reviewing,
    wanted: { body: string; headSha: string | null },
  ): Promise<store.PendingReview>;
  /** The id of the thread. Throws `conflict` past a bound. */
  addThread(
    tx: Transaction,
    reviewing: Reviewing,
    wanted: { place: FoundPlace; body: string; reviewId: string | null },
  ): Promise<string>;
  /** The id of the comment; it is pending if it has a review. Throws `conflict` past a bound. */
  addComment(
    tx: Transaction,
    reviewing: Reviewing,
    wanted: { threadId: string; body: string; reviewId: string | null },
  ): Promise<string>;
  /** Throws `conflict` for what the caller may not decide, and `validation_failed` where it says nothing. */
  submit(
    tx: Transaction,
    reviewing: Reviewing,
    wanted: { id: string; event: ReviewEvent; body: string; headSha: string },
  ): Promise<void>;
  /** Throws away what nobody else has seen. */
  remove(tx: Transaction, reviewing: Reviewing, id: string): Promise<void>;
  /** What the text of a review names, which everybody sees, says so in its timeline. */
  mention(tx: Transaction, reviewing: Reviewing, body: string): Promise<void>;
  tell(
    tx: Transaction,
    reviewing: Reviewing,
    wanted: { id: string; action: "submitted" | "edited" | "dismissed" },
  ): Promise<void>;
}

export interface ReviewChangesDeps {
  mergeRequests: ReviewedMergeRequests;
  workItems: Pick<WorkItems, "record">;
  comments: ThreadComments;
  references: Pick<References, "mention">;
}

export function createReviewChanges(deps: ReviewChangesDeps): ReviewChanges {
  const { mergeRequests, workItems, comments } = deps;

  const begin: ReviewChanges["begin"] = async (tx, reviewing, { body, headSha }) => {
    const { item, actor } = reviewing;
    const authorId = userIdOf(actor);
    if (await store.findPending(tx, item.id, authorId))
      throw conflict("You have a pending review here: submit it, or delete it first.");
    await refuseTooMany(tx, reviewing);
    await noteMentioned(tx, item.repository_id, body);
    return store.insertReview(tx, { id: newId("rev"), mergeRequestId: item.id, authorId, body, headSha });
  };

  const addComment: ReviewChanges["addComment"] = async (tx, reviewing, { threadId, body, reviewId }) => {
    const { item } = reviewing;
    if (reviewId !== null && (await comments.countPending(tx, reviewId)) >= maxPendingComments)
      throw conflict(`A review has at most ${maxPendingComments} pending comments: submit it first.`);
    return comments.add(tx, reviewing, { item, threadId, body, reviewId, isPending: reviewId !== null });
  };

  const tell: ReviewChanges["tell"] = async (tx, { item, actor, granted }, { id, action }) => {
    const { repository_id: repositoryId, number } = item;
    const review = await store.findReview(tx, granted.repository.id, {
      number,
      id,
      viewerId: actor.userId,
    });
    const mergeRequest = await mergeRequests.snapshot(tx, repositoryId, number);
    const place = { repositoryId, senderId: actor.userId };
    const subject = { review, merge_request: mergeRequest };
    await recordRepositoryEvents(tx, place, [{ kind: "merge_request_review", action, subject }]);
    await mergeRequests.judgeAgain(tx, item.id);
    tx.count("forgeline_collaboration_changes_total", { kind: "review", action });
  };

  const mention: ReviewChanges["mention"] = (tx, { item, actor, granted }, text) =>
    deps.references.mention(tx, { actor, repository: granted.repository }, { item, text });

  return {
    async lock(tx, { actor, granted }, number) {
      const item = await mergeRequests.lock(tx, granted.repository.id, number);
      if (!mayChange(viewerOf(actor, granted), item).comment)
        throw new AppError("forbidden", {
          message: "The conversation is locked: it takes Triage to comment and to review.",
        });
      return { item, actor, granted };
    },
    begin,
    async pending(tx, reviewing, headSha) {
      const authorId = userIdOf(reviewing.actor);
      const found = await store.findPending(tx, reviewing.item.id, authorId);
      return found ?? begin(tx, reviewing, { body: "", headSha });
    },
    async addThread(tx, reviewing, { place, body, reviewId }) {
      const { item, actor } = reviewing;
      await refuseTooManyThreads(tx, reviewing);
      const id = newId("thr");
      const thread = { id, mergeRequestId: item.id, authorId: userIdOf(actor), ...place };
      const isBehind = await insertThread(tx, thread);
      if (isBehind) await mergeRequests.compareAgain(tx, item.id);
      await addComment(tx, reviewing, { threadId: id, body, reviewId });
      tx.count("forgeline_collaboration_changes_total", { kind: "thread", action: "opened" });
      return id;
    },
    addComment,
    async submit(tx, reviewing, { id, event, body, headSha }) {
      const { item, actor } = reviewing;
      refuseDecision(reviewing, event);
      const published = await comments.publish(tx, reviewing, { reviewId: id, item });
      if (event === "comment" && body.trim() === "" && published === 0)
        throw invalidField("body", "required", "A review without a decision needs a text, or comments.");
      const state = reviewStates.next("pending", event);
      if (!state) throw new Error("its author can submit every pending review");
      await store.submitReview(tx, { id, state, body, headSha });
      await noteMentioned(tx, item.repository_id, body);
      await workItems.record(tx, { item, actor }, [{ kind: "reviewed", details: { review_id: id, state } }]);
      await mention(tx, reviewing, body);
      await tell(tx, reviewing, { id, action: "submitted" });
    },
    async remove(tx, { item }, id) {
      await comments.removePending(tx, id);
      await tx.query(threadStatements.removeAllEmpty, [item.id]);
      await tx.query(store.statements.deleteReview, [id]);
    },
    mention,
    tell,
  };
}

function refuseDecision({ item, actor }: Reviewing, event: ReviewEvent): void {
  if (event === "comment") return;
  const what = event === "approve" ? "approve" : "request changes of";
  if (item.author_id === actor.userId)
    throw conflict(`You proposed this merge request: you cannot ${what} it, but you can comment.`);
  if (item.state !== "open")
    throw conflict(`It is ${item.state}: it can be commented on, but you cannot ${what} it any more.`);
}

async function refuseTooMany(tx: Transaction, { item, actor, granted }: Reviewing): Promise<void> {
  const own = await tx.one(store.statements.countOwn, [item.id, actor.userId]);
  if ((own?.total ?? 0) >= maxOwnReviews)
    throw conflict(
      `You have ${maxOwnReviews} reviews here, which is the most for one person: comment instead.`,
    );
  if (writes(granted)) return;
  const counted = await tx.one(store.statements.countReviews, [item.id, null]);
  if ((counted?.total ?? 0) >= maxReviews)
    throw conflict(`A merge request has at most ${maxReviews} reviews: comment instead.`);
}

async function refuseTooManyThreads(tx: Transaction, { item, actor, granted }: Reviewing): Promise<void> {
  const own = await tx.one(threadStatements.countOwn, [item.id, actor.userId]);
  if ((own?.total ?? 0) >= maxOwnThreads)
    throw conflict(
      `You have begun ${maxOwnThreads} threads here, which is the most for one person: reply in one of them.`,
    );
  if (writes(granted)) return;
  const counted = await tx.one(threadStatements.countAll, [item.id]);
  if ((counted?.total ?? 0) >= maxThreads)
    throw conflict(`A merge request has at most ${maxThreads} threads: reply in one of them.`);
}

/** Whose reviews decide must not be kept out by how many others there are. */
function writes({ level }: Reviewing["granted"]): boolean {
  return levelCovers(level, "write");
}

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}
