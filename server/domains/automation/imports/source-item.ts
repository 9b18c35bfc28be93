/** What is read at another host, in one shape for all of them. Numbers are those of this side. */

export interface SourceLabel {
  kind: "label";
  source: string;
  name: string;
  /** Six hexadecimal digits. */
  color: string | null;
  description: string;
}

export interface SourceMilestone {
  kind: "milestone";
  source: string;
  title: string;
  description: string;
  dueOn: string | null;
  isClosed: boolean;
  closedAt: Date | null;
  createdAt: Date;
}

interface SourceWorkItem {
  source: string;
  number: number;
  title: string;
  body: string;
  /** The account there. */
  author: string;
  labels: readonly SourceLabel[];
  milestone: string | null;
  assignees: readonly string[];
  locked: boolean;
  closedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface SourceIssue extends SourceWorkItem {
  kind: "issue";
  state: "open" | "closed";
  reason: "completed" | "not_planned" | "duplicate" | null;
}

export interface SourceMergeRequest extends SourceWorkItem {
  kind: "merge_request";
  state: "open" | "closed" | "merged";
  draft: boolean;
  sourceBranch: string;
  /** Its source branch is in the same repository. */
  isOwnBranch: boolean;
  targetBranch: string;
  /** Commits, as the host names them: they need not be there. */
  head: string | null;
  base: string | null;
  mergedAt: Date | null;
  mergeSha: string | null;
}

export interface SourceText {
  source: string;
  /** Of the issue or merge request. */
  number: number;
  author: string;
  body: string;
  createdAt: Date;
}

export interface SourceComment extends SourceText {
  kind: "comment";
  updatedAt: Date;
}

export interface SourceReview extends SourceText {
  kind: "review";
  state: "commented" | "approved" | "changes_requested" | "dismissed";
  head: string | null;
}

export interface SourceLineComment extends SourceText {
  kind: "line_comment";
  updatedAt: Date;
  path: string;
  side: "old" | "new";
  line: number | null;
  startLine: number | null;
  /** The commit whose lines were counted. */
  commit: string | null;
  /** The lines are not in the newest commit any more. */
  isOutdated: boolean;
  resolvedAt: Date | null;
  /** The end of the patch that it stands below. */
  hunk: string;
  /** The first comment of its thread; null: it is the first. */
  replyTo: string | null;
  review: string | null;
}

export type SourceItem =
  | SourceLabel
  | SourceMilestone
  | SourceIssue
  | SourceMergeRequest
  | SourceComment
  | SourceReview
  | SourceLineComment;
