/** Tables of what people do together, for `table-owners.ts`. */
import { only, type TableRule } from "./table-rule.ts";

const imported: TableRule = {
  alsoWrittenBy: {
    "domains/collaboration/imports":
      "what is imported has the numbers, times and authors of another host, and nobody is told of it",
  },
};

export const collaborationTables: Readonly<Record<string, Readonly<Record<string, TableRule>>>> = {
  "domains/collaboration/attachments": {
    attachments: {
      alsoReadBy: { hosting: "they are in the sums of what a repository and an organization take" },
    },
  },
  "domains/collaboration/boards": {
    board_columns: only,
    board_places: only,
    boards: only,
  },
  "domains/collaboration/saved-filters": {
    repository_filters: only,
    saved_filters: only,
  },
  "domains/collaboration/discussions": {
    team_discussion_numbers: only,
    team_discussion_replies: only,
    team_discussions: only,
  },
  "domains/collaboration/merge-queue": {
    merge_queue_batches: only,
    merge_queue_entries: only,
    merge_queues: only,
  },
  "domains/collaboration/merge-requests": {
    merge_request_auto_merges: only,
    merge_requests: imported,
  },
  "domains/collaboration/imports": {
    imported_assignees: only,
  },
  "domains/collaboration/references": {
    merge_request_commit_closings: only,
    work_item_references: only,
  },
  "domains/collaboration/reviews": {
    merge_request_reviewers: only,
    review_threads: imported,
    reviews: imported,
  },
  "domains/collaboration/comments": {
    comments: imported,
  },
  "domains/collaboration/work-items": {
    work_item_assignees: imported,
    work_item_events: imported,
    work_item_labels: imported,
    work_item_moves: only,
    work_item_numbers: imported,
    work_items: imported,
  },
  "domains/collaboration/reactions": {
    reactions: only,
  },
  "domains/collaboration/labels": {
    labels: imported,
  },
  "domains/collaboration/notifications": {
    notifications: only,
    repository_subscriptions: only,
    tellings: only,
    told_texts: only,
    work_item_subscriptions: only,
  },
  "domains/collaboration/notification-mails": {
    inbound_mails: only,
    notification_addresses: only,
    notification_mails: only,
    notification_settings: only,
    reply_addresses: only,
  },
  "domains/collaboration/team-routing": {
    team_address_asks: only,
    team_mails: only,
    team_review_tellings: only,
    team_routings: only,
  },
  "domains/collaboration/milestones": {
    milestones: imported,
  },
  "domains/collaboration/viewed-files": {
    merge_request_looks: only,
    merge_request_viewed_files: only,
  },
  "domains/collaboration/suggestions": {
    applied_suggestions: only,
  },
};
