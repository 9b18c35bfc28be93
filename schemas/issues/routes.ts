/** Operations on issues (`spec.md` 4.2; `decisions.md`, "Collaboration"). */
import { z } from "zod";
import { Comment, CommentCreate, maxComments } from "../comments/resource.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { wholeNumber } from "../core/whole-number.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { searchText } from "../search/resource.ts";
import { TimelineEvent } from "../work-items/resource.ts";
import {
  Issue,
  IssueBulkResults,
  IssueBulkUpdate,
  IssueCreate,
  IssueTransfer,
  IssueUpdate,
  maxBulkIssues,
} from "./resource.ts";

const read = { tag: "issues", access: "repo_read", scope: "issue:read" } as const;
const signedIn = {
  tag: "issues",
  access: "repo_signed_in",
  scope: "issue:write",
  archived: "refused",
} as const;
const triage = { tag: "issues", access: "repo_triage", scope: "issue:write" } as const;
const maintain = { tag: "issues", access: "repo_maintain", scope: "issue:write" } as const;
const all = "/repos/:owner/:repo/issues";
const one = `${all}/:number`;
/** Six bytes of JSON for each control character of a text. */
const bodyLimitBytes = 512 * 1024;

export const IssueParams = z.strictObject({
  ...RepositoryParams.shape,
  number: wholeNumber({ min: 1, max: 2_147_483_647 }),
});

export const IssueQuery = z.strictObject({
  ...PageQuery.shape,
  state: z.enum(["open", "closed", "all"]).default("open"),
  labels: z
    .string()
    .max(2_000)
    .optional()
    .describe("Names of labels, separated by commas: issues that have all of them."),
  author: z.string().max(201).optional().describe("User name."),
  assignee: z.string().max(201).optional().describe("User name; `none`: nobody is assigned."),
  milestone: z.string().max(255).optional().describe("Title of a milestone; `none`: without one."),
  q: searchText
    .optional()
    .describe(
      'Words, "exact phrases" and qualifiers, as in `author:me label:"help wanted" -label:wontfix`. A state in it wins over `state`.',
    ),
  pinned: z.literal("true").optional().describe("Only pinned ones."),
  sort: z.enum(["created", "updated", "comments"]).default("created"),
  direction: z.enum(["asc", "desc"]).default("desc"),
});
export type IssueQuery = z.output<typeof IssueQuery>;

export const listIssues = route({
  ...read,
  id: "listIssues",
  method: "get",
  path: all,
  summary: "Issues of a repository, newest first",
  params: RepositoryParams,
  query: IssueQuery,
  status: 200,
  response: z.array(Issue),
  paginated: true,
  errors: ["validation_failed"],
});

export const createIssue = route({
  ...signedIn,
  id: "createIssue",
  method: "post",
  path: all,
  summary: "Open an issue",
  description:
    "Everyone who may read the repository and is signed in. Labels, assignees, milestone and due date take Triage.",
  params: RepositoryParams,
  body: IssueCreate,
  bodyLimitBytes,
  status: 201,
  response: Issue,
  errors: ["repository_archived"],
});

export const getIssue = route({
  ...read,
  id: "getIssue",
  method: "get",
  path: one,
  summary: "One issue",
  description:
    "Issues and merge requests of a repository share their numbers. 301 for one that was moved to another repository that the caller sees.",
  params: IssueParams,
  status: 200,
  response: Issue,
  errors: [],
});

export const updateIssue = route({
  ...signedIn,
  id: "updateIssue",
  method: "patch",
  path: one,
  summary: "Change, close or reopen an issue",
  description:
    "Title and text: the author, and from Maintain on. State: the author, and from Triage on. Labels, assignees, milestone and due date: from Triage on. Lists replace what is there.",
  params: IssueParams,
  body: IssueUpdate,
  bodyLimitBytes,
  status: 200,
  response: Issue,
  errors: ["conflict", "repository_archived"],
});

export const updateIssues = route({
  ...signedIn,
  id: "updateIssues",
  method: "post",
  path: `${all}/bulk`,
  summary: "Change, close, reopen or lock several issues",
  description: `Up to ${maxBulkIssues}, each by itself: what one is refused stops no other, and stands in its result. Each takes what \`updateIssue\` and \`lockIssue\` take. Labels and assignees are added to, or taken off, what each has. Safe to repeat.`,
  params: RepositoryParams,
  body: IssueBulkUpdate,
  status: 200,
  response: IssueBulkResults,
  errors: ["repository_archived"],
});

export const deleteIssue = route({
  tag: "issues",
  access: "repo_admin",
  scope: "issue:write",
  id: "deleteIssue",
  method: "delete",
  path: one,
  summary: "Delete an issue with its comments",
  description: "Its number is not given again.",
  params: IssueParams,
  status: 204,
  errors: ["repository_archived"],
});

export const listIssueComments = route({
  ...read,
  id: "listIssueComments",
  method: "get",
  path: `${one}/comments`,
  summary: "Comments on an issue, oldest first",
  params: IssueParams,
  query: PageQuery,
  status: 200,
  response: z.array(Comment),
  paginated: true,
  errors: [],
});

export const createIssueComment = route({
  ...signedIn,
  id: "createIssueComment",
  method: "post",
  path: `${one}/comments`,
  summary: "Comment on an issue",
  description: `From Triage on where the issue is locked. 409 past ${maxComments} comments.`,
  params: IssueParams,
  body: CommentCreate,
  bodyLimitBytes,
  status: 201,
  response: Comment,
  errors: ["conflict", "repository_archived"],
});

export const listIssueTimeline = route({
  ...read,
  id: "listIssueTimeline",
  method: "get",
  path: `${one}/timeline`,
  summary: "What happened to an issue, oldest first",
  params: IssueParams,
  query: PageQuery,
  status: 200,
  response: z.array(TimelineEvent),
  paginated: true,
  errors: [],
});

export const transferIssue = route({
  ...maintain,
  id: "transferIssue",
  method: "post",
  path: `${one}/transfer`,
  summary: "Move an issue to another repository",
  description:
    "Takes Maintain here and Write there. Comments, history, reactions and attachments go with it, labels and milestone where the other repository has some of these names, assignees where they may read it. It gets a number there; `getIssue` at the old address answers 301. 409 where more people could read it there than here.",
  params: IssueParams,
  body: IssueTransfer,
  status: 200,
  response: Issue,
  errors: ["conflict", "quota_exceeded", "repository_archived"],
});

const put = { method: "put", params: IssueParams, status: 204, errors: ["repository_archived"] } as const;
const lift = { ...put, method: "delete" } as const;

export const lockIssue = route({
  ...triage,
  ...put,
  id: "lockIssue",
  path: `${one}/lock`,
  summary: "Lock an issue: only those with Triage may comment",
});

export const unlockIssue = route({
  ...triage,
  ...lift,
  id: "unlockIssue",
  path: `${one}/lock`,
  summary: "Unlock an issue",
});

export const pinIssue = route({
  ...maintain,
  ...put,
  errors: ["conflict", "repository_archived"],
  id: "pinIssue",
  path: `${one}/pin`,
  summary: "Pin an issue above the list",
  description: "409 past six pinned issues.",
});

export const unpinIssue = route({
  ...maintain,
  ...lift,
  id: "unpinIssue",
  path: `${one}/pin`,
  summary: "Unpin an issue",
});
