/** Reviews of merge requests: begun, submitted, changed, thrown away and dismissed. Who is asked for one is `reviewers.ts`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type {
  Review,
  ReviewCreate,
  ReviewDismiss,
  ReviewSubmit,
  ReviewUpdate,
} from "@forgeline/schemas/reviews/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { GrantedRepository } from "../../policy/domain.ts";
import { noteMentioned } from "../attachments/note-mentioned.ts";
import type { Caller } from "../comments/service.ts";
import { viewerOf } from "../work-items/may-change.ts";
import { refuseUnread } from "../work-items/refuse-unread.ts";
import type { WorkItems } from "../work-items/work-items.ts";
import { findPlace } from "./places.store.ts";
import { mayChangeReview, presentReview } from "./present.ts";
import type { ReviewChanges, ReviewedMergeRequests, Reviewing } from "./review-changes.ts";
import * as store from "./reviews.store.ts";
import type { CheckSeenHead } from "./seen-head.ts";
import type { ThreadPlaces } from "./thread-places.ts";

/** Which review. */
export interface ReviewAddress {
  number: number;
  review: string;
}

export interface ReviewService {
  /** Those that were submitted, oldest first, and the caller's own pending one. Throws `not_found`. */
  list(
    actor: Actor,
    granted: GrantedRepository,
    query: PageQuery & { number: number },
  ): Promise<{ items: Review[]; total: number }>;
  /** Throws `not_found`, also for a pending one of somebody else. */
  get(actor: Actor, granted: GrantedRepository, wanted: ReviewAddress): Promise<Review>;
  /**
   * Throws `not_found`; `conflict` where the caller has a pending one, may not decide that, and past the bounds; `forbidden` where the
   * conversation is locked; `validation_failed` for commits, files and lines that are not the merge request's.
   */
  create(
    actor: Actor,
    granted: GrantedRepository,
    wanted: ReviewCreate & { number: number },
  ): Promise<Review>;
  /** Throws as `create`, and `conflict` for one that is submitted. */
  submit(actor: Actor, granted: GrantedRepository, wanted: ReviewSubmit & ReviewAddress): Promise<Review>;
  /** Throws `not_found`, `forbidden` for those of others, and `conflict` for a dismissed one. */
  update(actor: Actor, granted: GrantedRepository, wanted: ReviewUpdate & ReviewAddress): Promise<Review>;
  /** Throws `not_found`, `forbidden` for those of others, and `conflict` for one that is submitted. */
  remove(actor: Actor, granted: GrantedRepository, wanted: ReviewAddress): Promise<void>;
  /** Throws `not_found`, `forbidden`, and `conflict` for one that decides nothing. */
  dismiss(actor: Actor, granted: GrantedRepository, wanted: ReviewDismiss & ReviewAddress): Promise<Review>;
}

export interface ReviewServiceDeps {
  db: Database;
  addresses: Addresses;
  changes: ReviewChanges;
  mergeRequests: Pick<ReviewedMergeRequests, "lock">;
  workItems: Pick<WorkItems, "record">;
  places: ThreadPlaces;
  checkSeenHead: CheckSeenHead;
}

export function createReviewService(deps: ReviewServiceDeps): ReviewService {
  const { db, addresses, changes, workItems } = deps;
  const viewOf = ({ actor, granted }: Caller) => ({
    repository: granted.repository,
    viewer: viewerOf(actor, granted),
    addresses,
  });

  async function placeOf({ repository }: GrantedRepository, number: number) {
    const row = await findPlace(db, repository.id, number);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function get(actor: Actor, granted: GrantedRepository, wanted: ReviewAddress): Promise<Review> {
    return presentReview(await found(db, { actor, granted }, wanted), viewOf({ actor, granted }));
  }

  /** The review, and its locked merge request. Throws `not_found`. */
  async function lock(tx: Transaction, caller: Caller, wanted: ReviewAddress) {
    const item = await deps.mergeRequests.lock(tx, caller.granted.repository.id, wanted.number);
    const row = await found(tx, caller, wanted);
    return { row, may: mayChangeReview(viewerOf(caller.actor, caller.granted), row), item };
  }

  return {
    async list(actor, granted, { number, ...page }) {
      const { id: mergeRequestId } = await placeOf(granted, number);
      const place = { mergeRequestId, viewerId: actor.userId };
      const { rows, total } = await store.listReviews(db, place, page);
      return { items: rows.map((row) => presentReview(row, viewOf({ actor, granted }))), total };
    },
    get,
    async create(actor, granted, { number, event, body = "", commit_sha: seen, comments = [] }) {
      const row = await placeOf(granted, number);
      const sha = seen ?? row.head_sha;
      await deps.checkSeenHead(granted.repository.id, row, { userId: actor.userId, sha });
      const places = await deps.places.find(granted.repository.id, row, {
        sha,
        places: comments,
        fieldOf: (index, name) => `comments.${index}.${name}`,
      });
      const id = await db.transaction(async (tx) => {
        const reviewing = await changes.lock(tx, { actor, granted }, number);
        // What was looked at is the head before a push that came meanwhile.
        const review = await changes.begin(tx, reviewing, { body, headSha: sha });
        const reviewId = review.id;
        for (const [index, place] of places.entries())
          await changes.addThread(tx, reviewing, { place, body: comments[index]!.body, reviewId });
        if (event) await changes.submit(tx, reviewing, { id: reviewId, event, body, headSha: sha });
        return reviewId;
      });
      return get(actor, granted, { number, review: id });
    },
    async submit(actor, granted, { number, review, event, body, commit_sha: seen }) {
      if (seen !== undefined) {
        const row = await placeOf(granted, number);
        await deps.checkSeenHead(granted.repository.id, row, { userId: actor.userId, sha: seen });
      }
      await db.transaction(async (tx) => {
        const reviewing = await changes.lock(tx, { actor, granted }, number);
        const row = await found(tx, reviewing, { number, review });
        requireRight(mayChangeReview(viewerOf(actor, granted), row).edit, editText);
        if (row.state !== "pending") throw conflict("It is submitted already.");
        const headSha = seen ?? row.head_sha;
        await changes.submit(tx, reviewing, { id: review, event, body: body ?? row.body, headSha });
      });
      return get(actor, granted, { number, review });
    },
    async update(actor, granted, { number, review, body, previous_body: previous }) {
      await db.transaction(async (tx) => {
        const { row, may, item } = await lock(tx, { actor, granted }, { number, review });
        if (row.author_id === actor.userId && row.state === "dismissed")
          throw conflict("It is dismissed: submit another one.");
        requireRight(may.edit, editText);
        if (row.body === body) return;
        refuseUnread(previous, { now: row.body, wanted: body });
        if (row.state === "commented" && body.trim() === "" && row.comments_count === 0)
          throw invalidField("body", "required", "A review without a decision needs a text, or comments.");
        await tx.query(store.statements.setBody, [review, body]);
        await noteMentioned(tx, granted.repository.id, body);
        const reviewing: Reviewing = { item, actor, granted };
        if (row.state === "pending") return;
        await changes.mention(tx, reviewing, body);
        await changes.tell(tx, reviewing, { id: review, action: "edited" });
      });
      return get(actor, granted, { number, review });
    },
    remove: (actor, granted, wanted) =>
      db.transaction(async (tx) => {
        const { row, item } = await lock(tx, { actor, granted }, wanted);
        requireRight(row.author_id === actor.userId, "Only its author deletes a review while it is pending.");
        if (row.state !== "pending") throw conflict("It is submitted: it can only be dismissed.");
        await changes.remove(tx, { item, actor, granted }, wanted.review);
      }),
    async dismiss(actor, granted, { number, review, reason }) {
      await db.transaction(async (tx) => {
        const { row, may, item } = await lock(tx, { actor, granted }, { number, review });
        if (row.state !== "approved" && row.state !== "changes_requested")
          throw conflict(notDecided[row.state]);
        requireRight(may.dismiss, "Only its author, and those with Maintain, dismiss a review.");
        await tx.query(store.statements.dismissReview, [review, actor.userId, reason]);
        const details = {
          review_id: review,
          state: row.state,
          username: row.author?.username ?? null,
          reason,
        };
        await workItems.record(tx, { item, actor }, [{ kind: "review_dismissed", details }]);
        await changes.tell(tx, { item, actor, granted }, { id: review, action: "dismissed" });
        await recordDismissal(tx, { actor, granted }, { row, reason });
      });
      return get(actor, granted, { number, review });
    },
  };
}

const editText = "Only its author changes and submits a review.";
const notDecided = {
  pending: "It is not submitted yet: delete it instead.",
  commented: "It decides nothing, so there is nothing to dismiss.",
  dismissed: "It is dismissed already.",
};

async function found(db: Database | Transaction, { actor, granted }: Caller, wanted: ReviewAddress) {
  const { number, review: id } = wanted;
  const row = await store.findReview(db, granted.repository.id, { number, id, viewerId: actor.userId });
  if (!row) throw new AppError("not_found");
  return row;
}

function requireRight(isGiven: boolean, message: string): void {
  if (!isGiven) throw new AppError("forbidden", { message });
}

function conflict(message: string): AppError {
  return new AppError("conflict", { message });
}

/** It decides what can be merged, so it leaves a trace. */
async function recordDismissal(
  tx: Transaction,
  { actor, granted }: Caller,
  { row, reason }: { row: store.ReviewRow; reason: string },
): Promise<void> {
  const { id: repositoryId, owner, name } = granted.repository;
  await recordAudit(tx, actor, {
    action: "review.dismiss",
    target: { type: "review", id: row.id, name: `${owner}/${name}!${row.number}` },
    details: {
      author: row.author?.username ?? null,
      state: row.state,
      sha: row.head_sha,
      reason,
      repository_id: repositoryId,
    },
  });
}
