/** Tables of what people do together, for `table-owners.ts`. */
import { only, type TableRule } from "./table-rule.ts";

export const collaborationTables: Readonly<Record<string, Readonly<Record<string, TableRule>>>> = {
  "domains/collaboration/attachments": {
    attachments: only,
  },
  "domains/collaboration/discussions": {
    team_discussion_numbers: only,
    team_discussion_replies: only,
    team_discussions: only,
  },
  "domains/collaboration/merge-requests": {
    merge_requests: only,
  },
  "domains/collaboration/references": {
    work_item_references: only,
  },
  "domains/collaboration/reviews": {
    merge_request_reviewers: only,
    review_threads: only,
    reviews: only,
  },
  "domains/collaboration/comments": {
    comments: only,
  },
  "domains/collaboration/work-items": {
    work_item_assignees: only,
    work_item_events: only,
    work_item_labels: only,
    work_item_moves: only,
    work_item_numbers: only,
    work_items: only,
  },
  "domains/collaboration/reactions": {
    reactions: only,
  },
  "domains/collaboration/labels": {
    labels: only,
  },
  "domains/collaboration/notifications": {
    notifications: only,
    repository_subscriptions: only,
    tellings: only,
    told_texts: only,
    work_item_subscriptions: only,
  },
  "domains/collaboration/milestones": {
    milestones: only,
  },
  "domains/collaboration/viewed-files": {
    merge_request_looks: only,
    merge_request_viewed_files: only,
  },
  "domains/collaboration/suggestions": {
    applied_suggestions: only,
  },
};
