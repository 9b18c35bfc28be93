/** Operations on merge requests (`spec.md` 4.2; `decisions.md`, "Collaboration"). */
import { z } from "zod";
import { Comment, CommentCreate, maxComments } from "../comments/resource.ts";
import { Commit, FileDiff } from "../commits/resource.ts";
import { ChangesQuery } from "../commits/routes.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { wholeNumber } from "../core/whole-number.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { TimelineEvent } from "../work-items/resource.ts";
import { MergeRequestApprovals, MergeRequestCheck } from "./requirements.ts";
import { MergeRequestQuery } from "./query.ts";
import {
  AutoMergeEnable,
  MergeRequest,
  MergeRequestCreate,
  MergeRequestDraft,
  MergeRequestMerge,
  MergeRequestUpdate,
} from "./resource.ts";

const tag = "merge-requests";
const read = { tag, access: "repo_read", scope: "mr:read" } as const;
const signedIn = { tag, access: "repo_signed_in", scope: "mr:write", archived: "refused" } as const;
const write = { tag, access: "repo_write", scope: "mr:write" } as const;
const all = "/repos/:owner/:repo/merge-requests";
const one = `${all}/:number`;
const bodyLimitBytes = largeBodyBytes;

export const MergeRequestParams = z.strictObject({
  ...RepositoryParams.shape,
  number: wholeNumber({ min: 1, max: 2_147_483_647 }),
});

export const listMergeRequests = route({
  ...read,
  id: "listMergeRequests",
  method: "get",
  path: all,
  summary: "Merge requests of a repository, newest first",
  params: RepositoryParams,
  query: MergeRequestQuery,
  status: 200,
  response: z.array(MergeRequest),
  paginated: true,
  errors: ["validation_failed"],
});

export const createMergeRequest = route({
  ...signedIn,
  id: "createMergeRequest",
  method: "post",
  path: all,
  summary: "Propose to merge a branch, of this repository or of a fork, into another one",
  description:
    "A branch of this repository takes Write here. With `source_repo` it is a branch of a fork of it, of what it was forked from, or of another fork of the same; that takes Write and the scope `repo:read` there, and only reading here. The commits of that branch come over, so that everyone who may read this repository sees them, also where the fork is private; so does what is pushed to it while the merge request is open. The source branch must have commits that the target branch lacks. 409 where a merge request with these branches is open already; the message names it.",
  params: RepositoryParams,
  body: MergeRequestCreate,
  bodyLimitBytes,
  status: 201,
  response: MergeRequest,
  errors: ["conflict", "repository_archived", "quota_exceeded"],
});

export const getMergeRequest = route({
  ...read,
  id: "getMergeRequest",
  method: "get",
  path: one,
  summary: "One merge request",
  params: MergeRequestParams,
  status: 200,
  response: MergeRequest,
  errors: [],
});

export const updateMergeRequest = route({
  ...signedIn,
  id: "updateMergeRequest",
  method: "patch",
  path: one,
  summary: "Change a merge request",
  description:
    "Title, description, draft and target branch: the author, and from Maintain on. Labels, assignees and milestone: from Triage on. Lists replace what is there. The target branch can be changed while it is open.",
  params: MergeRequestParams,
  body: MergeRequestUpdate,
  bodyLimitBytes,
  status: 200,
  response: MergeRequest,
  errors: ["conflict", "repository_archived"],
});

export const setMergeRequestDraft = route({
  ...signedIn,
  id: "setMergeRequestDraft",
  method: "put",
  path: `${one}/draft`,
  summary: "Mark a merge request as a draft, or as ready",
  description: "The author, and from Maintain on. Safe to repeat.",
  params: MergeRequestParams,
  body: MergeRequestDraft,
  status: 200,
  response: MergeRequest,
  errors: ["repository_archived"],
});

const ended = {
  ...signedIn,
  method: "post",
  params: MergeRequestParams,
  status: 200,
  response: MergeRequest,
  errors: ["conflict", "repository_archived"],
} as const;

export const closeMergeRequest = route({
  ...ended,
  id: "closeMergeRequest",
  path: `${one}/close`,
  summary: "Close a merge request without merging it",
  description:
    "The author, and from Triage on. Nothing happens to one that is closed already; 409 for one that is merged, or being merged.",
});

export const reopenMergeRequest = route({
  ...ended,
  id: "reopenMergeRequest",
  path: `${one}/reopen`,
  summary: "Reopen a closed merge request",
  description:
    "The author, and from Triage on. Both branches must exist, and the source branch must have commits that the target branch lacks. 409 for one that is merged.",
});

export const mergeMergeRequest = route({
  ...write,
  id: "mergeMergeRequest",
  method: "put",
  path: `${one}/merge`,
  summary: "Merge a merge request",
  description:
    "Moves the target branch as a push by the caller: its protection applies, and pipelines start. Where the repository has rules, and with `delete_source_branch`, a token needs `repo:write` too. 409 `conflict` for a draft, where rules want approvals, checks or another strategy (with `blocked_by`), for one that is not open, where the head is not `sha`, where `fast_forward` is not possible, and, with `conflicts`, where both branches changed the same lines.",
  params: MergeRequestParams,
  body: MergeRequestMerge,
  bodyLimitBytes,
  status: 200,
  response: MergeRequest,
  errors: ["conflict", "repository_archived", "repository_mirrored", "quota_exceeded"],
});

export const enableAutoMerge = route({
  ...write,
  id: "enableAutoMerge",
  method: "put",
  path: `${one}/auto-merge`,
  summary: "Merge a merge request as soon as nothing stands in its way",
  description:
    "It waits for what the rules of the target branch want, for a draft to be ready, and, where the rules name no checks, for the newest runs of the head to succeed; a failed run can be run again. It is merged for the caller, with the rights that they have then, never with a bypass. Where nothing is missing it is merged at once. 409 for one that is not open, that conflicts, or whose head is not `sha`, and for a strategy that the rules do not allow. What was asked for before is replaced. Where rules apply to the target branch, and with `delete_source_branch`, a token needs `repo:write` too.",
  params: MergeRequestParams,
  body: AutoMergeEnable,
  bodyLimitBytes,
  status: 200,
  response: MergeRequest,
  errors: ["conflict", "repository_archived", "repository_mirrored"],
});

export const cancelAutoMerge = route({
  ...signedIn,
  id: "cancelAutoMerge",
  method: "delete",
  path: `${one}/auto-merge`,
  summary: "Do not merge a merge request by itself any more",
  description:
    "The author, and from Write on. Nothing happens where nobody asked for it; 409 while it is being merged.",
  params: MergeRequestParams,
  status: 200,
  response: MergeRequest,
  errors: ["conflict", "repository_archived"],
});

export const listMergeRequestCommits = route({
  ...read,
  id: "listMergeRequestCommits",
  method: "get",
  path: `${one}/commits`,
  summary: "Commits of a merge request, newest first",
  description:
    "Those that the source branch has and the target branch lacked when it was opened, or last compared.",
  params: MergeRequestParams,
  query: PageQuery,
  status: 200,
  response: z.array(Commit),
  paginated: true,
  errors: [],
});

export const listMergeRequestFiles = route({
  ...read,
  id: "listMergeRequestFiles",
  method: "get",
  path: `${one}/files`,
  summary: "Files that a merge request changes, with patches",
  description:
    "From the merge base to the head, in the order of their paths, as `listChangedFiles` shows them: the list ends at 10,000 files, and patches that are too large are left out.",
  params: MergeRequestParams,
  query: ChangesQuery,
  status: 200,
  response: z.array(FileDiff),
  paginated: true,
  errors: [],
});

export const listMergeRequestComments = route({
  ...read,
  id: "listMergeRequestComments",
  method: "get",
  path: `${one}/comments`,
  summary: "Comments on a merge request, oldest first",
  params: MergeRequestParams,
  query: PageQuery,
  status: 200,
  response: z.array(Comment),
  paginated: true,
  errors: [],
});

export const createMergeRequestComment = route({
  ...signedIn,
  id: "createMergeRequestComment",
  method: "post",
  path: `${one}/comments`,
  summary: "Comment on a merge request",
  description: `From Triage on where it is locked. 409 past ${maxComments} comments.`,
  params: MergeRequestParams,
  body: CommentCreate,
  bodyLimitBytes,
  status: 201,
  response: Comment,
  errors: ["conflict", "repository_archived"],
});

export const getMergeRequestApprovals = route({
  ...read,
  id: "getMergeRequestApprovals",
  method: "get",
  path: `${one}/approvals`,
  summary: "Which approvals a merge request needs and has",
  description:
    "By the rules for the target branch as they are now. Of each person the last decisive review counts, if they have Write now; the author's never does.",
  params: MergeRequestParams,
  status: 200,
  response: MergeRequestApprovals,
  errors: [],
});

export const listMergeRequestChecks = route({
  ...read,
  id: "listMergeRequestChecks",
  method: "get",
  path: `${one}/checks`,
  summary: "Runs and jobs that the rules require of a merge request",
  description: "Those of its head, in the order in which the rules name them.",
  params: MergeRequestParams,
  query: PageQuery,
  status: 200,
  response: z.array(MergeRequestCheck),
  paginated: true,
  errors: [],
});

export const runMergeRequestPipelines = route({
  ...write,
  scope: "pipeline:write",
  id: "runMergeRequestPipelines",
  method: "post",
  path: `${one}/pipelines`,
  summary: "Run the pipelines of a merge request on what its target branch would become now",
  description:
    "Where `merge_request_pipelines` of the repository is `merged_result`. The runs are made some seconds later at most. 409 where runs are on the newest commit, and where the merge request is not open.",
  params: MergeRequestParams,
  status: 204,
  errors: ["conflict", "repository_archived"],
});

export const listMergeRequestTimeline = route({
  ...read,
  id: "listMergeRequestTimeline",
  method: "get",
  path: `${one}/timeline`,
  summary: "What happened to a merge request, oldest first",
  params: MergeRequestParams,
  query: PageQuery,
  status: 200,
  response: z.array(TimelineEvent),
  paginated: true,
  errors: [],
});
