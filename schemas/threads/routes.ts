/** Operations on threads: conversations on lines of what a merge request changes (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { Comment, maxComments } from "../comments/resource.ts";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { MergeRequestParams } from "../merge-requests/routes.ts";
import {
  ReplyCreate,
  Thread,
  ThreadCreate,
  maxOwnThreads,
  maxPendingComments,
  maxThreads,
} from "../reviews/resource.ts";

const tag = "threads";
const read = { tag, access: "repo_read", scope: "mr:read" } as const;
const write = { tag, access: "repo_signed_in", scope: "mr:write", archived: "refused" } as const;
const all = "/repos/:owner/:repo/merge-requests/:number/threads";
const one = `${all}/:thread`;
const bodyLimitBytes = largeBodyBytes;

export const ThreadParams = z.strictObject({ ...MergeRequestParams.shape, thread: idOf("thr") });

export const ThreadQuery = z.strictObject({
  ...PageQuery.shape,
  state: z.enum(["open", "resolved", "all"]).default("all"),
  path: z.string().max(4_096).optional().describe("Only those on this file, as it is named now."),
  outdated: z.enum(["true", "false"]).optional(),
});
export type ThreadQuery = z.output<typeof ThreadQuery>;

export const listThreads = route({
  ...read,
  id: "listThreads",
  method: "get",
  path: all,
  summary: "Threads on the changes of a merge request, oldest first",
  description: "Also the caller's own pending ones.",
  params: MergeRequestParams,
  query: ThreadQuery,
  status: 200,
  response: z.array(Thread),
  paginated: true,
  errors: [],
});

export const createThread = route({
  ...write,
  id: "createThread",
  method: "post",
  path: all,
  summary: "Comment on lines, or on a file",
  description: `Of a file that the merge request changes. Everybody who reads the repository may, from Triage on where it is locked. 409 past ${maxThreads} threads (not from Write on), ${maxOwnThreads} of them by the caller, ${maxComments} comments on the merge request, or ${maxPendingComments} pending ones.`,
  params: MergeRequestParams,
  body: ThreadCreate,
  bodyLimitBytes,
  status: 201,
  response: Thread,
  errors: ["conflict", "repository_archived"],
});

export const getThread = route({
  ...read,
  id: "getThread",
  method: "get",
  path: one,
  summary: "Get a thread",
  params: ThreadParams,
  status: 200,
  response: Thread,
  errors: [],
});

export const listThreadComments = route({
  ...read,
  id: "listThreadComments",
  method: "get",
  path: `${one}/comments`,
  summary: "Comments of a thread, oldest first",
  params: ThreadParams,
  query: PageQuery,
  status: 200,
  response: z.array(Comment),
  paginated: true,
  errors: [],
});

export const createThreadComment = route({
  ...write,
  id: "createThreadComment",
  method: "post",
  path: `${one}/comments`,
  summary: "Reply in a thread",
  description: "As `createThread`.",
  params: ThreadParams,
  body: ReplyCreate,
  bodyLimitBytes,
  status: 201,
  response: Comment,
  errors: ["conflict", "repository_archived"],
});

const decided = {
  ...write,
  method: "post",
  params: ThreadParams,
  status: 200,
  response: Thread,
  errors: ["conflict", "repository_archived"],
} as const;

export const resolveThread = route({
  ...decided,
  id: "resolveThread",
  path: `${one}/resolve`,
  summary: "Resolve a thread",
  description:
    "Who proposed the merge request, who began the thread, and from Write on. 409 for a pending thread. Safe to repeat.",
});

export const reopenThread = route({
  ...decided,
  id: "reopenThread",
  path: `${one}/reopen`,
  summary: "Reopen a resolved thread",
  description: "As `resolveThread`.",
});
