/** What people do together in a repository: issues, merge requests, and what these share. */
import type { Config } from "../../config/config.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import type { Hosting } from "../hosting/domain.ts";
import type { Operation } from "../operation/domain.ts";
import type { Pipelines } from "../pipelines/domain.ts";
import type { Policy } from "../policy/domain.ts";
import { createAttachmentBytes } from "./attachments/bytes.ts";
import { createAttachments } from "./attachments/create-attachments.ts";
import { createAttachmentMoves } from "./attachments/moves.ts";
import { createAttachmentUpkeep } from "./attachments/upkeep.ts";
import { createCodeOwnersService } from "./code-owners/service.ts";
import { commentMoves } from "./comments/moves.ts";
import { createCommentService } from "./comments/service.ts";
import { createItemSearch } from "./search/service.ts";
import { createThreadComments } from "./comments/thread-comments.ts";
import { createImportWriter } from "./imports/import-writer.ts";
import { createIssueChanges } from "./issues/changes.ts";
import { createConflicts } from "./conflicts/create-conflicts.ts";
import { createBoardService } from "./boards/service.ts";
import { createIssueBulkEdits } from "./issues/bulk-edits.ts";
import { createIssueEdits } from "./issues/edits.ts";
import { createSavedFilterService } from "./saved-filters/service.ts";
import { createSharedFilterService } from "./saved-filters/shared-filters.ts";
import { createDiscussionIssues } from "./discussions/become-issue.ts";
import { createDiscussionReplyService } from "./discussions/replies.ts";
import { createDiscussionService } from "./discussions/service.ts";
import { createIssueTransfers } from "./issues/transfers.ts";
import { createIssueService } from "./issues/service.ts";
import { createLabelService } from "./labels/service.ts";
import { createMergeRequests } from "./merge-requests/create-merge-requests.ts";
import { createMilestoneService } from "./milestones/service.ts";
import { createNotificationMails } from "./notification-mails/create-notification-mails.ts";
import { createNotifications } from "./notifications/create-notifications.ts";
import { createCommitFollower } from "./references/commit-follower.ts";
import { createClosings } from "./references/closings.ts";
import { createReferences } from "./references/references.ts";
import { createTextTemplates } from "./text-templates/service.ts";
import { createSuggestions } from "./suggestions/create-suggestions.ts";
import { createViewedFiles } from "./viewed-files/create-viewed-files.ts";
import { createReactionService } from "./reactions/service.ts";
import { createReviews, removeEmptyThread } from "./reviews/create-reviews.ts";
import { createReviewers } from "./reviews/reviewers.ts";
import { createTeamRouting } from "./team-routing/create-team-routing.ts";
import { createItemMoves } from "./work-items/moves.ts";
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

export function createCollaboration(deps: CollaborationDeps) {
  const { platform, hosting } = deps;
  const { within, shown } = createItems(deps);
  const { reviewedMergeRequests, ...ofMergeRequests } = createMergeRequests({ ...deps, ...within, ...shown });
  const { mergeRequests, sourceBranches } = ofMergeRequests;
  // After merge requests: rows are locked in this order.
  hosting.followPushes(createCommitFollower({ ...platform, ...within }));
  const ofReviews = createReviews({ ...within, ...shown, platform, mergeRequests: reviewedMergeRequests });
  const teamBoards = createTeamBoards(deps);
  const ofNotifications = createNotifications(deps);
  hosting.onGain(ofNotifications.subscriptions.watchOwn);
  const attachmentMoves = createAttachmentMoves({
    ...deps.config.attachments,
    measure: hosting.storageMeter.mark,
  });
  const between = { ...platform, ...deps.policy, ...shown, attachmentMoves };
  return {
    ...shown,
    ...ofMergeRequests,
    ...ofReviews,
    ...teamBoards,
    issueTransfers: createIssueTransfers({ ...between, ...within, ...ofNotifications, commentMoves }),
    discussionIssues: createDiscussionIssues(between),
    reactions: createReactionService({ ...platform, ...within, ...shown, ...ofReviews, ...teamBoards }),
    ...createViewedFiles({ platform, hosting, mergeRequests }),
    ...createConflicts({ ...deps, mergeRequests, sourceBranches }),
    ...createSuggestions({ ...deps, mergeRequests, sourceBranches, threads: ofReviews.threads }),
    ...ofNotifications,
    ...createNotificationMails({ ...deps, ...shown, ...ofReviews, ...ofNotifications }),
    ...createTeamRouting(deps),
    importWriter: createImportWriter(platform),
    itemSearch: createItemSearch(platform),
    savedFilters: createSavedFilterService(platform),
    sharedFilters: createSharedFilterService(platform),
    lifecycle: joinLifecycles([]),
  };
}

/** Issues, and what merge requests have in common with them. */
function createItems({ platform, accounts, hosting }: CollaborationDeps) {
  const { db, addresses } = platform;
  const closings = createClosings(platform);
  const labels = createLabelService({ db, addresses });
  const milestones = createMilestoneService({ db, addresses });
  const workItems = createWorkItems({ db, addresses, labels, milestones });
  const textTemplates = createTextTemplates(platform);
  const issueChanges = createIssueChanges(workItems);
  const itemMoves = createItemMoves({ db, labels, milestones });
  const references = createReferences({ addresses, workItems, issueChanges });
  const parts = { db, addresses, workItems, references, closings, labels };
  const edits = createIssueEdits({ ...parts, changes: issueChanges });
  const ofIssues = { ...parts, itemMoves, edits, templates: textTemplates, changes: issueChanges };
  const issues = createIssueService(ofIssues);
  return {
    /** For the other parts of the domain. */
    within: {
      workItems,
      itemMoves,
      references,
      closings,
      issueChanges,
      threadComments: createThreadComments(parts),
    },
    shown: {
      labels,
      milestones,
      textTemplates,
      issues,
      issueBulkEdits: createIssueBulkEdits({ db, workItems, edits }),
      boards: createBoardService({ ...ofIssues, issues }),
      comments: createCommentService({ ...parts, threads: { removeEmpty: removeEmptyThread } }),
      codeOwners: createCodeOwnersService({ ...platform, ...accounts, ...hosting }),
      reviewers: createReviewers(parts),
    },
  };
}

/** Boards of teams, and files of texts. */
function createTeamBoards({ config, platform, policy, hosting }: CollaborationDeps) {
  const { db, addresses, objects } = platform;
  const bytes = createAttachmentBytes(objects);
  const attachmentUpkeep = createAttachmentUpkeep({ db, bytes });
  const board = { db, addresses, attachments: attachmentUpkeep };
  const discussions = createDiscussionService(board);
  return {
    discussions,
    discussionReplies: createDiscussionReplyService(board),
    attachments: createAttachments({
      ...policy,
      platform,
      bytes,
      discussions,
      limits: config.attachments,
      measure: hosting.storageMeter.mark,
    }),
    attachmentUpkeep,
  };
}

// What other domains and the edges may use.
export { presentEventComment } from "./comments/present.ts";
export { presentEventIssue } from "./issues/present.ts";
export { presentEventMergeRequest } from "./merge-requests/present.ts";
export type { BoardService } from "./boards/service.ts";
export type { SavedFilterService } from "./saved-filters/service.ts";
export type { SharedFilterService } from "./saved-filters/shared-filters.ts";
export type { CommentSnapshot } from "./comments/present.ts";
export type { CommentService } from "./comments/service.ts";
export type { ConflictService } from "./conflicts/service.ts";
export type { AttachmentDownload, AttachmentService } from "./attachments/service.ts";
export type { DiscussionIssues } from "./discussions/become-issue.ts";
export type { DiscussionReplyService } from "./discussions/replies.ts";
export type { DiscussionService } from "./discussions/service.ts";
export type { ImportedBy, ImportWriter, Written } from "./imports/import-writer.ts";
export type { IssueSnapshot } from "./issues/present.ts";
export type { IssueBulkEdits } from "./issues/bulk-edits.ts";
export type { IssueTransferService } from "./issues/transfers.ts";
export type { IssueService } from "./issues/service.ts";
export type { ReactedText, ReactionService } from "./reactions/service.ts";
export type { LabelService } from "./labels/service.ts";
export type { AutoMergeService } from "./merge-requests/auto-merge/service.ts";
export type { MergeRequestBranches } from "./merge-requests/merge-request-branches/create-merge-request-branches.ts";
export type { MergeRequestContent } from "./merge-requests/content.ts";
export type { MergeQueueService } from "./merge-queue/service.ts";
export type { MergeRequestMerging } from "./merge-requests/merging.ts";
export type { MergeRequirements } from "./merge-requests/requirements/service.ts";
export type { MergeRequestSnapshot } from "./merge-requests/present.ts";
export type { MergeRequestService } from "./merge-requests/service.ts";
export type { MilestoneService } from "./milestones/service.ts";
export type { InboundMail, InboundReplies } from "./notification-mails/take-reply.ts";
export type { NotificationSettingsService } from "./notification-mails/settings.ts";
export type { UnsubscribeService } from "./notification-mails/unsubscribe.ts";
export type { NotificationService } from "./notifications/inbox.ts";
export type { SubscriptionService } from "./notifications/subscriptions.ts";
export type { RecordedNews } from "./notifications/take-news.ts";
export type { NotificationTeller } from "./notifications/teller.ts";
export type { ItemSearch } from "./search/service.ts";
export type { AddressLinks } from "./team-routing/address-links.ts";
export { presentEventTeamNews } from "./team-routing/present.ts";
export type { TeamNewsSubject } from "./team-routing/present.ts";
export type { TeamRoutingService } from "./team-routing/service.ts";
export type { TextTemplateService } from "./text-templates/service.ts";
export type { ChangesSinceService } from "./viewed-files/changes-since.ts";
export type { SuggestionService } from "./suggestions/service.ts";
export type { ViewedFileService } from "./viewed-files/service.ts";
export { presentEventReview } from "./reviews/present.ts";
export type { ReviewSnapshot } from "./reviews/present.ts";
export type { CodeOwnerReviewer, ReviewRequest, Reviewers } from "./reviews/reviewers.ts";
export type { ReviewerService } from "./reviews/reviewers-service.ts";
export type { ReviewService } from "./reviews/service.ts";
export type { ThreadService } from "./reviews/threads.ts";
export type { CodeOwnersService } from "./code-owners/service.ts";
