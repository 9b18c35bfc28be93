/** Reviews of merge requests, and threads on lines of what they change (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { Comment, CommentBody, ThreadSide } from "../comments/resource.ts";
import { objectId } from "../commits/resource.ts";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { maxReviewers } from "../merge-requests/resource.ts";
import { Reactions } from "../reactions/resource.ts";
import { Person } from "../users/person.ts";
import { ImportedAuthor, MarkdownBody, PreviousText, Username } from "../work-items/resource.ts";

/** Of one merge request. */
export const maxReviews = 1_000;
/** Of one merge request. */
export const maxThreads = 1_000;
/** Of one author in one merge request, so that nobody takes the room of all others. */
export const maxOwnReviews = 100;
/** As above. */
export const maxOwnThreads = 200;
/** Of one review that is not submitted. */
export const maxPendingComments = 100;
/** What a record of a thread shows of it; the rest has pages. */
export const maxShownComments = 100;

export const reviewStates = ["pending", "commented", "approved", "changes_requested", "dismissed"] as const;
export const ReviewState = z.enum(reviewStates);
export type ReviewState = z.infer<typeof ReviewState>;

export const reviewEvents = ["comment", "approve", "request_changes"] as const;
export const ReviewEvent = z.enum(reviewEvents);
export type ReviewEvent = z.infer<typeof ReviewEvent>;

export const Review = z
  .object({
    id: idOf("rev"),
    author: Person.nullable().describe("Null: the account was deleted, or it was imported."),
    imported_author: ImportedAuthor,
    state: ReviewState.describe(
      "`pending`: it is not submitted, and only its author sees it. `dismissed`: it was an approval or a request for changes, and is none any more.",
    ),
    body: z.string().describe("Markdown."),
    commit_sha: objectId.describe("The head that its author saw."),
    comments_count: z.number().int().describe("Comments on lines that came with it."),
    counts: z
      .boolean()
      .describe("Its author may write to the repository now, and did not propose the merge request."),
    stale: z.boolean().describe("The source branch has moved since `commit_sha`."),
    submitted_at: timestamp.nullable().describe("Null: it is pending."),
    dismissed_at: timestamp.nullable(),
    dismissed_by: Person.nullable(),
    dismissed_reason: z.string().nullable(),
    reactions: Reactions,
    viewer_may: z.object({
      edit: z.boolean().describe("Change its text."),
      delete: z.boolean().describe("Throw it away with its comments, while it is pending."),
      submit: z.boolean(),
      dismiss: z.boolean(),
      react: z.boolean().describe("To its text, once it is submitted."),
    }),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Review" });
export type Review = z.infer<typeof Review>;

const path = z
  .string()
  .min(1)
  .max(4_096)
  // oxlint-disable-next-line no-control-regex -- it is what is refused
  .regex(/^[^\u0000]*$/, "A path cannot contain the character NUL.")
  .describe("Of a file that the merge request changes.");
const line = z.number().int().min(1).max(2_147_483_647);

const place = {
  path,
  side: ThreadSide.default("new").describe("`new`: lines after the change. `old`: lines before it."),
  line: line.optional().describe("The last line it is about. Left out: the whole file."),
  start_line: line.optional().describe("The first of several lines; less than `line`."),
};
const linesText = "`start_line` must be less than `line`.";
const inOrder = (at: { line?: number | undefined; start_line?: number | undefined }) =>
  at.start_line === undefined || (at.line !== undefined && at.start_line < at.line);
const ordered = { error: linesText, path: ["start_line"] };

/** Where a new thread begins. */
export const ReviewComment = z
  .strictObject({ ...place, body: CommentBody })
  .refine(inOrder, ordered)
  .meta({
    id: "ReviewComment",
    examples: [{ path: "src/upload.ts", line: 12, body: "This can be null." }],
  });
export type ReviewComment = z.output<typeof ReviewComment>;

const seen = objectId.optional().describe("The head that was seen; 422 for a commit that it never had.");

export const ReviewCreate = z
  .strictObject({
    event: ReviewEvent.optional().describe("Left out: the review is pending until it is submitted."),
    body: MarkdownBody.optional(),
    commit_sha: seen.describe("The head that was seen (default: the head now)."),
    comments: z.array(ReviewComment).max(maxPendingComments).optional(),
  })
  .meta({ id: "ReviewCreate", examples: [{ event: "approve", body: "Well done." }] });
export type ReviewCreate = z.output<typeof ReviewCreate>;

export const ReviewSubmit = z
  .strictObject({
    event: ReviewEvent,
    body: MarkdownBody.optional().describe("Replaces the text that it has."),
    commit_sha: seen.describe("The head that was seen (default: the head when the review was begun)."),
  })
  .meta({ id: "ReviewSubmit", examples: [{ event: "request_changes", body: "See below." }] });
export type ReviewSubmit = z.infer<typeof ReviewSubmit>;

export const ReviewUpdate = z
  .strictObject({ body: MarkdownBody, previous_body: PreviousText })
  .meta({ id: "ReviewUpdate", examples: [{ body: "Well done, thank you." }] });
export type ReviewUpdate = z.infer<typeof ReviewUpdate>;

const maxReasonChars = 1_000;

export const ReviewDismiss = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(maxReasonChars)
      // oxlint-disable-next-line no-control-regex -- it is what is refused
      .regex(/^[^\u0000]*$/, "A reason cannot contain the character NUL."),
  })
  .meta({ id: "ReviewDismiss", examples: [{ reason: "It was about an earlier version." }] });
export type ReviewDismiss = z.infer<typeof ReviewDismiss>;

export const Thread = z
  .object({
    id: idOf("thr"),
    path: z.string(),
    side: ThreadSide,
    line: z.number().int().nullable().describe("Null: it is about the whole file."),
    start_line: z.number().int().nullable().describe("Null: it is about one line, or the whole file."),
    commit_sha: objectId.describe(
      "The commit whose lines were counted: the head that was seen, or for `old` the merge base.",
    ),
    current: z
      .object({
        path: z.string(),
        line: z.number().int().nullable(),
        start_line: z.number().int().nullable(),
        commit_sha: objectId,
      })
      .nullable()
      .describe("The same lines in a later commit; null: they were changed since."),
    outdated: z.boolean().describe("Its lines were changed, or its file deleted, since it began."),
    excerpt: z.string().describe("The last lines of the change up to the line, as in a patch."),
    resolved: z.boolean(),
    resolved_by: Person.nullable(),
    resolved_at: timestamp.nullable(),
    pending: z.boolean().describe("All of its comments are pending: only their author sees it."),
    comments: z.array(Comment).describe(`The first ${maxShownComments}, oldest first.`),
    comments_count: z.number().int(),
    viewer_may: z.object({
      resolve: z.boolean().describe("Resolve and reopen."),
      reply: z.boolean(),
    }),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp.describe(
      "When it was last resolved, or one of its comments was written or changed.",
    ),
  })
  .meta({ id: "Thread" });
export type Thread = z.infer<typeof Thread>;

const pending = z
  .boolean()
  .optional()
  .describe("It waits in the caller's pending review, which is begun if there is none.");

export const ThreadCreate = z
  .strictObject({ ...place, body: CommentBody, pending, commit_sha: seen.describe("As for a review.") })
  .refine(inOrder, ordered)
  .meta({
    id: "ThreadCreate",
    examples: [{ path: "src/upload.ts", side: "new", line: 12, body: "This can be null." }],
  });
export type ThreadCreate = z.output<typeof ThreadCreate>;

export const ReplyCreate = z
  .strictObject({ body: CommentBody, pending })
  .meta({ id: "ReplyCreate", examples: [{ body: "It cannot: see line 3." }] });
export type ReplyCreate = z.infer<typeof ReplyCreate>;

export const reviewerStates = ["waiting", "commented", "approved", "changes_requested", "dismissed"] as const;

export const Reviewer = z
  .object({
    user: Person.nullable(),
    team: z.string().nullable().describe("Full name of a team, where no user is named."),
    reason: z
      .enum(["requested", "code_owner"])
      .nullable()
      .describe("Null: nobody asked; the user submitted a review."),
    pattern: z.string().nullable().describe("The rule of `CODEOWNERS` that names them."),
    state: z
      .enum(reviewerStates)
      .describe("What the last review that decides says; of a team, that of any of its members."),
  })
  .meta({ id: "Reviewer" });
export type Reviewer = z.infer<typeof Reviewer>;

const teamName = z
  .string()
  .max(1_000)
  .regex(/^[A-Za-z0-9._-]{1,100}(?:\/[A-Za-z0-9._-]{1,100}){1,16}$/, "A team is named `ORG/TEAM`.");

export const ReviewersUpdate = z
  .strictObject({
    reviewers: z.array(Username).max(maxReviewers).optional().describe("User names."),
    teams: z
      .array(teamName)
      .max(maxReviewers)
      .optional()
      .describe("Full names of teams of the organization that owns the repository."),
    again: z
      .array(Username)
      .max(maxReviewers)
      .optional()
      .describe("User names of people who are asked once more, such as after their review."),
    teams_again: z.array(teamName).max(maxReviewers).optional().describe("Teams that are asked once more."),
  })
  .meta({ id: "ReviewersUpdate", examples: [{ reviewers: ["mary"], teams: ["acme/core"] }] });
export type ReviewersUpdate = z.infer<typeof ReviewersUpdate>;
