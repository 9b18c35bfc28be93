/** Wires reviews, threads and reviewers. */
import type { Transaction } from "../../../platform/db/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { ThreadComments } from "../comments/thread-comments.ts";
import type { WorkItems } from "../work-items/work-items.ts";
import { createReviewChanges, type ReviewChangesDeps, type ReviewedMergeRequests } from "./review-changes.ts";
import { createReviewerService, type ReviewerServiceDeps } from "./reviewers-service.ts";
import { createSeenHeadCheck } from "./seen-head.ts";
import { createReviewService } from "./service.ts";
import { createThreadPlaces } from "./thread-places.ts";
import { createThreadService } from "./threads.ts";
import { lockThread, statements } from "./threads.store.ts";

export interface ReviewParts {
  platform: Platform;
  workItems: WorkItems;
  threadComments: ThreadComments;
  references: ReviewChangesDeps["references"];
  reviewers: ReviewerServiceDeps["reviewers"];
  mergeRequests: ReviewedMergeRequests & ReviewerServiceDeps["mergeRequests"];
}

export function createReviews(parts: ReviewParts) {
  const { platform, workItems, threadComments, mergeRequests, reviewers, references } = parts;
  const changes = createReviewChanges({ mergeRequests, workItems, comments: threadComments, references });
  const shared = {
    ...platform,
    changes,
    mergeRequests,
    workItems,
    threadComments,
    places: createThreadPlaces(platform),
    checkSeenHead: createSeenHeadCheck(platform),
  };
  return {
    reviews: createReviewService(shared),
    threads: createThreadService(shared),
    reviewerService: createReviewerService({ ...platform, reviewers, mergeRequests }),
  };
}

/** A thread without comments goes. Safe to repeat. */
export async function removeEmptyThread(tx: Transaction, threadId: string): Promise<void> {
  if (await lockThread(tx, threadId)) await tx.query(statements.removeEmpty, [threadId]);
}
