/** What people do together in a repository: issues, merge requests, and what these share. */
import type { Config } from "../../config/config.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import type { Hosting } from "../hosting/domain.ts";
import type { Operation } from "../operation/domain.ts";
import type { Pipelines } from "../pipelines/domain.ts";
import type { Policy } from "../policy/domain.ts";
import { createCodeOwnersService } from "./code-owners/service.ts";
import { createCommentService } from "./comments/service.ts";
import { createThreadComments } from "./comments/thread-comments.ts";
import { createIssueService } from "./issues/service.ts";
import { createLabelService } from "./labels/service.ts";
import { createMergeRequests } from "./merge-requests/create-merge-requests.ts";
import { createMilestoneService } from "./milestones/service.ts";
import { createSuggestions } from "./suggestions/create-suggestions.ts";
import { createViewedFiles } from "./viewed-files/create-viewed-files.ts";
import { createReviews, removeEmptyThread } from "./reviews/create-reviews.ts";
import { createReviewers } from "./reviews/reviewers.ts";
import { createWorkItems } from "./work-items/work-items.ts";

export interface CollaborationDeps {
  config: Config;
  platform: Platform;
  operation: Operation;
  policy: Policy;
  accounts: Accounts;
  hosting: Hosting;
  pipelines: Pipelines;
}

export type Collaboration = ReturnType<typeof createCollaboration>;

export function createCollaboration({ platform, accounts, hosting }: CollaborationDeps) {
  const { db, addresses } = platform;
  const labels = createLabelService({ db, addresses });
  const milestones = createMilestoneService({ db, addresses });
  const workItems = createWorkItems({ db, addresses, labels, milestones });
  const parts = { db, addresses, workItems };
  const threadComments = createThreadComments(parts);
  const reviewers = createReviewers(parts);
  const { reviewedMergeRequests, ...ofMergeRequests } = createMergeRequests({
    platform,
    accounts,
    hosting,
    workItems,
    reviewers,
  });
  const { mergeRequests } = ofMergeRequests;
  const ofReviews = createReviews({
    platform,
    workItems,
    threadComments,
    reviewers,
    mergeRequests: reviewedMergeRequests,
  });
  const { threads } = ofReviews;
  return {
    labels,
    milestones,
    issues: createIssueService(parts),
    comments: createCommentService({ ...parts, threads: { removeEmpty: removeEmptyThread } }),
    ...ofMergeRequests,
    ...ofReviews,
    reviewers,
    ...createViewedFiles({ platform, hosting, mergeRequests }),
    ...createSuggestions({ platform, accounts, hosting, mergeRequests, threads }),
    codeOwners: createCodeOwnersService({ ...platform, ...accounts, ...hosting }),
    lifecycle: joinLifecycles([]),
  };
}

// What other domains and the edges may use.
export { presentEventComment } from "./comments/present.ts";
export { presentEventIssue } from "./issues/present.ts";
export { presentEventMergeRequest } from "./merge-requests/present.ts";
export type { CommentSnapshot } from "./comments/present.ts";
export type { CommentService } from "./comments/service.ts";
export type { IssueSnapshot } from "./issues/present.ts";
export type { IssueService } from "./issues/service.ts";
export type { LabelService } from "./labels/service.ts";
export type { MergeRequestContent } from "./merge-requests/content.ts";
export type { MergeRequestMerging } from "./merge-requests/merging.ts";
export type { MergeRequestSnapshot } from "./merge-requests/present.ts";
export type { MergeRequestService } from "./merge-requests/service.ts";
export type { MilestoneService } from "./milestones/service.ts";
export type { ChangesSinceService } from "./viewed-files/changes-since.ts";
export type { SuggestionService } from "./suggestions/service.ts";
export type { ViewedFileService } from "./viewed-files/service.ts";
export { presentEventReview } from "./reviews/present.ts";
export type { ReviewSnapshot } from "./reviews/present.ts";
export type { CodeOwnerReviewer, Reviewers } from "./reviews/reviewers.ts";
export type { ReviewerService } from "./reviews/reviewers-service.ts";
export type { ReviewService } from "./reviews/service.ts";
export type { ThreadService } from "./reviews/threads.ts";
export type { CodeOwnersService } from "./code-owners/service.ts";
