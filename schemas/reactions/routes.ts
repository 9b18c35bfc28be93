/** Operations on reactions: the same three for each kind of text (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { CommentParams } from "../comments/routes.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { DiscussionParams, ReplyParams } from "../discussions/routes.ts";
import { IssueParams } from "../issues/routes.ts";
import { MergeRequestParams } from "../merge-requests/routes.ts";
import { ReviewParams } from "../reviews/routes.ts";
import { Reaction, ReactionCreate, ReactionName, Reactions } from "./resource.ts";

const tag = "reactions";

export const ReactionQuery = z.strictObject({
  ...PageQuery.shape,
  name: ReactionName.optional()
    .describe("Only these.")
    .meta({ examples: ["heart"] }),
});
export type ReactionQuery = z.output<typeof ReactionQuery>;

const get = {
  tag,
  method: "get",
  query: ReactionQuery,
  status: 200,
  response: z.array(Reaction),
  paginated: true,
  errors: [],
} as const;
const post = { tag, method: "post", body: ReactionCreate, status: 200, response: Reactions } as const;
const remove = { tag, method: "delete", status: 204 } as const;
const reaction = { reaction: ReactionName };
const inRepository = {
  access: "repo_signed_in",
  archived: "refused",
  errors: ["repository_archived"],
} as const;
const onBoard = { access: "team_visible", scope: "issue:write", errors: [] } as const;
const mayReact =
  "Whoever may comment; what is there already stays once. Answers with all reactions to the text.";

const issue = "/repos/:owner/:repo/issues/:number/reactions";

export const listIssueReactions = route({
  ...get,
  id: "listIssueReactions",
  path: issue,
  summary: "Reactions to an issue, oldest first",
  access: "repo_read",
  scope: "issue:read",
  params: IssueParams,
});

export const addIssueReaction = route({
  ...post,
  ...inRepository,
  id: "addIssueReaction",
  path: issue,
  summary: "React to an issue",
  description: mayReact,
  scope: "issue:write",
  params: IssueParams,
});

export const removeIssueReaction = route({
  ...remove,
  ...inRepository,
  id: "removeIssueReaction",
  path: `${issue}/:reaction`,
  summary: "Take back one's own reaction to an issue",
  scope: "issue:write",
  params: z.strictObject({ ...IssueParams.shape, ...reaction }),
});

const mergeRequest = "/repos/:owner/:repo/merge-requests/:number/reactions";

export const listMergeRequestReactions = route({
  ...get,
  id: "listMergeRequestReactions",
  path: mergeRequest,
  summary: "Reactions to a merge request, oldest first",
  access: "repo_read",
  scope: "mr:read",
  params: MergeRequestParams,
});

export const addMergeRequestReaction = route({
  ...post,
  ...inRepository,
  id: "addMergeRequestReaction",
  path: mergeRequest,
  summary: "React to a merge request",
  description: mayReact,
  scope: "mr:write",
  params: MergeRequestParams,
});

export const removeMergeRequestReaction = route({
  ...remove,
  ...inRepository,
  id: "removeMergeRequestReaction",
  path: `${mergeRequest}/:reaction`,
  summary: "Take back one's own reaction to a merge request",
  scope: "mr:write",
  params: z.strictObject({ ...MergeRequestParams.shape, ...reaction }),
});

const review = "/repos/:owner/:repo/merge-requests/:number/reviews/:review/reactions";

export const listReviewReactions = route({
  ...get,
  id: "listReviewReactions",
  path: review,
  summary: "Reactions to a review, oldest first",
  access: "repo_read",
  scope: "mr:read",
  params: ReviewParams,
});

export const addReviewReaction = route({
  ...post,
  ...inRepository,
  id: "addReviewReaction",
  path: review,
  summary: "React to a review",
  description: mayReact,
  scope: "mr:write",
  params: ReviewParams,
});

export const removeReviewReaction = route({
  ...remove,
  ...inRepository,
  id: "removeReviewReaction",
  path: `${review}/:reaction`,
  summary: "Take back one's own reaction to a review",
  scope: "mr:write",
  params: z.strictObject({ ...ReviewParams.shape, ...reaction }),
});

// Comments of merge requests need the scopes of those; the service asks for them.
const comment = "/repos/:owner/:repo/comments/:id/reactions";

export const listCommentReactions = route({
  ...get,
  id: "listCommentReactions",
  path: comment,
  summary: "Reactions to a comment, oldest first",
  access: "repo_read",
  scope: "issue:read",
  params: CommentParams,
});

export const addCommentReaction = route({
  ...post,
  ...inRepository,
  id: "addCommentReaction",
  path: comment,
  summary: "React to a comment",
  description: mayReact,
  scope: "issue:write",
  params: CommentParams,
});

export const removeCommentReaction = route({
  ...remove,
  ...inRepository,
  id: "removeCommentReaction",
  path: `${comment}/:reaction`,
  summary: "Take back one's own reaction to a comment",
  scope: "issue:write",
  params: z.strictObject({ ...CommentParams.shape, ...reaction }),
});

const discussion = "/orgs/:org/teams/*team/discussions/:number/reactions";

export const listDiscussionReactions = route({
  ...get,
  id: "listDiscussionReactions",
  path: discussion,
  summary: "Reactions to a discussion, oldest first",
  access: "team_visible",
  scope: "org:read",
  params: DiscussionParams,
});

export const addDiscussionReaction = route({
  ...post,
  ...onBoard,
  id: "addDiscussionReaction",
  path: discussion,
  summary: "React to a discussion",
  description: "Whoever may reply; what is there already stays once. Answers with all reactions to the text.",
  params: DiscussionParams,
});

export const removeDiscussionReaction = route({
  ...remove,
  ...onBoard,
  id: "removeDiscussionReaction",
  path: `${discussion}/:reaction`,
  summary: "Take back one's own reaction to a discussion",
  params: z.strictObject({ ...DiscussionParams.shape, ...reaction }),
});

const reply = "/orgs/:org/teams/*team/discussions/:number/replies/:id/reactions";

export const listReplyReactions = route({
  ...get,
  id: "listReplyReactions",
  path: reply,
  summary: "Reactions to a reply in a discussion, oldest first",
  access: "team_visible",
  scope: "org:read",
  params: ReplyParams,
});

export const addReplyReaction = route({
  ...post,
  ...onBoard,
  id: "addReplyReaction",
  path: reply,
  summary: "React to a reply in a discussion",
  description: "As to a discussion.",
  params: ReplyParams,
});

export const removeReplyReaction = route({
  ...remove,
  ...onBoard,
  id: "removeReplyReaction",
  path: `${reply}/:reaction`,
  summary: "Take back one's own reaction to a reply in a discussion",
  params: z.strictObject({ ...ReplyParams.shape, ...reaction }),
});
