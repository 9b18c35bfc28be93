/** Operations on the discussions of a team (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { wholeNumber } from "../core/whole-number.ts";
import { Issue } from "../issues/resource.ts";
import { TeamParams } from "../teams/routes.ts";
import {
  Discussion,
  DiscussionCreate,
  DiscussionIssueCreate,
  DiscussionReply,
  DiscussionReplyCreate,
  DiscussionReplyUpdate,
  DiscussionUpdate,
  maxDiscussions,
  maxPinnedDiscussions,
  maxReplies,
} from "./resource.ts";

const all = "/orgs/:org/teams/*team/discussions";
const one = `${all}/:number`;
const replies = `${one}/replies`;
export const DiscussionParams = z.strictObject({
  ...TeamParams.shape,
  number: wholeNumber({ min: 1, max: 2_147_483_647 }),
});
export const ReplyParams = z.strictObject({ ...DiscussionParams.shape, id: idOf("rply") });
const read = { tag: "discussions", access: "team_visible", scope: "org:read", status: 200 } as const;
const write = { tag: "discussions", access: "team_visible", scope: "issue:write" } as const;
const manage = {
  tag: "discussions",
  access: "team_manage",
  scope: "issue:write",
  params: DiscussionParams,
  status: 204,
} as const;
/** Six bytes of JSON for each control character of a text. */
const bodyLimitBytes = 512 * 1024;

export const listDiscussions = route({
  ...read,
  id: "listDiscussions",
  method: "get",
  path: all,
  summary: "Discussions of a team: pinned ones, then the newest first",
  description:
    "Whoever sees the team sees them, except private ones: those are for members of the team and of teams nested in it, and for owners.",
  params: TeamParams,
  query: PageQuery,
  response: z.array(Discussion),
  paginated: true,
  errors: [],
});

export const createDiscussion = route({
  ...write,
  id: "createDiscussion",
  method: "post",
  path: all,
  summary: "Start a discussion",
  description: `Members of the team and of teams nested in it, and owners. 409 past ${maxDiscussions} discussions.`,
  params: TeamParams,
  body: DiscussionCreate,
  bodyLimitBytes,
  status: 201,
  response: Discussion,
  errors: ["conflict"],
});

export const getDiscussion = route({
  ...read,
  id: "getDiscussion",
  method: "get",
  path: one,
  summary: "One discussion",
  params: DiscussionParams,
  response: Discussion,
  errors: [],
});

export const updateDiscussion = route({
  ...write,
  id: "updateDiscussion",
  method: "patch",
  path: one,
  summary: "Change title and text of a discussion",
  description: "For its author.",
  params: DiscussionParams,
  body: DiscussionUpdate,
  bodyLimitBytes,
  status: 200,
  response: Discussion,
  errors: ["conflict"],
});

export const deleteDiscussion = route({
  ...write,
  id: "deleteDiscussion",
  method: "delete",
  path: one,
  summary: "Delete a discussion with its replies",
  description: "For its author, and for those who manage the team. Its number is not given again.",
  params: DiscussionParams,
  status: 204,
  errors: [],
});

export const pinDiscussion = route({
  ...manage,
  id: "pinDiscussion",
  method: "put",
  path: `${one}/pin`,
  summary: "Pin a discussion above the others",
  description: `409 past ${maxPinnedDiscussions} pinned discussions.`,
  errors: ["conflict"],
});

export const unpinDiscussion = route({
  ...manage,
  id: "unpinDiscussion",
  method: "delete",
  path: `${one}/pin`,
  summary: "Unpin a discussion",
  errors: [],
});

export const lockDiscussion = route({
  ...manage,
  id: "lockDiscussion",
  method: "put",
  path: `${one}/lock`,
  summary: "Lock a discussion: only those who manage the team may reply",
  errors: [],
});

export const unlockDiscussion = route({
  ...manage,
  id: "unlockDiscussion",
  method: "delete",
  path: `${one}/lock`,
  summary: "Unlock a discussion",
  errors: [],
});

export const createDiscussionIssue = route({
  ...write,
  id: "createDiscussionIssue",
  method: "post",
  path: `${one}/issue`,
  summary: "Make an issue of a discussion",
  description:
    "Whoever may reply, and may open issues in the repository. The issue has its title, text and files, and is the caller's. It says who wrote the discussion only where the team is not secret, the discussion not private, and the repository one of the organization that is not public; it never names the team. A token also needs `org:read`. 409 if there is an issue already.",
  params: DiscussionParams,
  body: DiscussionIssueCreate,
  status: 201,
  response: Issue,
  errors: ["conflict", "quota_exceeded", "repository_archived"],
});

export const listDiscussionReplies = route({
  ...read,
  id: "listDiscussionReplies",
  method: "get",
  path: replies,
  summary: "Replies to a discussion, oldest first, each followed by those below it",
  params: DiscussionParams,
  query: PageQuery,
  response: z.array(DiscussionReply),
  paginated: true,
  errors: [],
});

export const createDiscussionReply = route({
  ...write,
  id: "createDiscussionReply",
  method: "post",
  path: replies,
  summary: "Reply to a discussion",
  description: `Members of the team and of teams nested in it, and owners; only those who manage the team where it is locked. 409 past ${maxReplies} replies.`,
  params: DiscussionParams,
  body: DiscussionReplyCreate,
  bodyLimitBytes,
  status: 201,
  response: DiscussionReply,
  errors: ["conflict"],
});

export const getDiscussionReply = route({
  ...read,
  id: "getDiscussionReply",
  method: "get",
  path: `${replies}/:id`,
  summary: "One reply",
  params: ReplyParams,
  response: DiscussionReply,
  errors: [],
});

export const updateDiscussionReply = route({
  ...write,
  id: "updateDiscussionReply",
  method: "patch",
  path: `${replies}/:id`,
  summary: "Change a reply",
  description: "For its author.",
  params: ReplyParams,
  body: DiscussionReplyUpdate,
  bodyLimitBytes,
  status: 200,
  response: DiscussionReply,
  errors: ["conflict"],
});

export const deleteDiscussionReply = route({
  ...write,
  id: "deleteDiscussionReply",
  method: "delete",
  path: `${replies}/:id`,
  summary: "Delete a reply",
  description:
    "For its author, and for those who manage the team. Replies below it stay and stand for themselves.",
  params: ReplyParams,
  status: 204,
  errors: [],
});
