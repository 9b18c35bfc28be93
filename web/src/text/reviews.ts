/** Words of reviews: comments on lines, threads, who approves and who asks for changes. */
const count = (value: number, one: string, many: string) =>
  value === 1 ? `1 ${one}` : `${value.toLocaleString("en")} ${many}`;

const lines = (start: number, end: number) => (start === end ? `line ${start}` : `lines ${start} to ${end}`);

export const text = {
  // Threads
  addComment: "Comment on this line",
  commentOn: (start: number, end: number, isOld: boolean) =>
    `Comment on ${lines(start, end)}${isOld ? " before the change" : ""}`,
  commentOnFile: (path: string) => `Comment on ${path}`,
  single: "Add single comment",
  startReview: "Start a review",
  addToReview: "Add to review",
  reply: "Reply",
  replyNow: "Reply now",
  resolve: "Resolve",
  reopen: "Reopen",
  resolvedNow: "Resolved.",
  reopenedNow: "Reopened.",
  resolved: "Resolved",
  resolvedBy: "resolved this",
  outdated: "Outdated",
  outdatedHint: "The code has changed since.",
  showThread: (where: string) => `Show the thread on ${where}`,
  hideThread: (where: string) => `Hide the thread on ${where}`,
  thread: (where: string) => `Thread on ${where}`,
  atLines: (start: number, end: number, isOld: boolean) =>
    `${lines(start, end)}${isOld ? " before the change" : ""}`,
  atFile: "the whole file",
  excerpt: "The lines that it is about",
  showAll: (comments: number) => `Show all ${comments.toLocaleString("en")} comments`,
  threads: (threads: number) => count(threads, "thread", "threads"),
  unresolved: (threads: number) =>
    threads === 0 ? "No unresolved threads" : count(threads, "unresolved thread", "unresolved threads"),
  outdatedTitle: "Threads on lines that have changed since, or are not shown here",
  goneTitle: "Threads on files that are no longer among the changes",
  nextThread: "Next thread",
  previousThread: "Previous thread",
  // Viewed
  viewed: "Viewed",
  viewedOf: (viewed: number, all: number) =>
    `${viewed.toLocaleString("en")} of ${all.toLocaleString("en")} viewed`,
  changedSinceViewed: (files: number) => `${files.toLocaleString("en")} changed since`,
  shownChanges: "Changes shown",
  allChanges: "All changes",
  sinceReview: "Since your last review",
  sinceLook: "Since you last looked",
  oneCommit: "One commit",
  inexact:
    "The branch was rebased since, and what it had before conflicts with its new base: changes of the target branch are shown, too.",
  // Suggestions
  insertSuggestion: "Insert suggestion",
  noLines:
    "The lines of the file could not be fetched. Write the suggestion by hand, in a block of code of the language suggestion.",
  suggestion: "Suggested change",
  appliedIn: "Applied in",
  apply: "Apply suggestion",
  addToBatch: "Add to batch",
  removeFromBatch: "Remove from batch",
  batch: "Chosen suggestions",
  chosenSuggestions: (suggestions: number) => count(suggestions, "suggestion chosen", "suggestions chosen"),
  applyBatch: "Apply all",
  clearBatch: "Clear",
  applyTitle: (suggestions: number) =>
    suggestions === 1 ? "Apply this suggestion?" : `Apply ${suggestions} suggestions?`,
  applyLead: (branch: string) => `One commit is made on ${branch}, and the threads are resolved.`,
  applyNow: "Apply",
  appliedNow: (suggestions: number) => (suggestions === 1 ? "Suggestion applied." : "Suggestions applied."),
  applyMessage: "Commit message",
  applyMessageHint: "Left empty, one is written for you. Those who suggested it are named below it.",
  // Review
  bar: "Your review",
  pendingComments: (comments: number) => count(comments, "pending comment", "pending comments"),
  review: "Review changes",
  submit: "Submit review",
  submitTitle: "Submit your review",
  submitLead: (comments: number) =>
    comments === 0
      ? "It is shown to everybody who sees this merge request."
      : `It is shown to everybody who sees this merge request, with ${count(comments, "comment", "comments")}.`,
  body: "Review",
  verdict: "Your verdict",
  events: { comment: "Comment", approve: "Approve", request_changes: "Request changes" },
  eventHints: {
    comment: "Say something without a verdict.",
    approve: "These changes can be merged.",
    request_changes: "Something has to change before they are merged.",
  },
  ownHint: "Others approve your merge request, or request changes.",
  endedHint: "This merge request is not open: it can only be commented on.",
  needsWords: "Write what you think, or comment on a line first.",
  submitted: "Review submitted.",
  discard: "Discard",
  discardTitle: "Discard your pending review?",
  discardHint: (comments: number) =>
    `${comments === 1 ? "Its comment is" : `Its ${comments.toLocaleString("en")} comments are`} deleted and cannot be brought back.`,
  discarded: "Review discarded.",
  // Conversation
  verbs: {
    commented: "reviewed",
    approved: "approved these changes",
    changes_requested: "requested changes",
  },
  startedThread: "commented on the changes",
  repliedIn: "Replied in:",
  seeInChanges: "See in changes",
  stale: "Earlier version",
  staleHint: "Commits were pushed after this review.",
  notCounted: "Does not count",
  notCountedHint: "Its author may not write to this repository, so it has no effect on merging.",
  dismissed: "Dismissed",
  dismiss: "Dismiss",
  withdraw: "Withdraw",
  dismissTitle: "Dismiss this review?",
  dismissHint: "It stays in the conversation, and no longer counts.",
  reason: "Reason",
  dismissedNow: "Review dismissed.",
  editReview: "Edit review",
  reviewSaved: "Review saved.",
  actionsOf: (author: string) => `Actions for the review of ${author}`,
  // Side
  reviewers: "Reviewers",
  noReviewers: "Nobody yet",
  findReviewer: "Type a user name, or a team",
  noReviewerFits: "Type the name of a user, or ORGANIZATION/TEAM.",
  team: "Team",
  states: {
    waiting: "Waiting for a review",
    commented: "Commented",
    approved: "Approved",
    changes_requested: "Requested changes",
    dismissed: "Review dismissed",
  },
  staleState: "an earlier version",
  askAgain: (name: string) => `Ask ${name} to review again`,
  askedAgain: (name: string) => `${name} was asked again.`,
  codeOwner: (pattern: string) => `Code owner of ${pattern}`,
} as const;
