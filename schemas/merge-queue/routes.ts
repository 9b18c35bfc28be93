/** Operations on merge queues (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { largeBodyBytes, route } from "../core/route.ts";
import { MergeRequestParams } from "../merge-requests/routes.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import {
  MergeQueue,
  MergeQueueAdd,
  MergeQueueEntry,
  MergeQueueMove,
  MergeQueueUpdate,
  maxQueued,
} from "./resource.ts";

const tag = "merge-requests";
const all = "/repos/:owner/:repo/merge-queue";
const one = `${all}/:number`;

export const MergeQueueQuery = z.strictObject({
  branch: z.string().min(1).max(1000).optional().describe("Default: the default branch."),
});

export const getMergeQueue = route({
  tag,
  access: "repo_read",
  scope: "mr:read",
  id: "getMergeQueue",
  method: "get",
  path: all,
  summary: "The merge queue of a branch",
  description: "Empty for a branch that has none.",
  params: RepositoryParams,
  query: MergeQueueQuery,
  status: 200,
  response: MergeQueue,
  errors: [],
});

export const addToMergeQueue = route({
  tag,
  access: "repo_write",
  scope: "mr:write",
  id: "addToMergeQueue",
  method: "post",
  path: all,
  summary: "Add a merge request to the merge queue of its target branch",
  description: `What rules ask of people has to be there; what they ask of runs is asked of what the branch becomes. 409 for a draft, where something is missing (with \`blocked_by\`), where the branches conflict, where it is in the queue already, where the branch has no queue, and past ${maxQueued} in one queue. A token needs \`repo:write\` too, as for a merge past a rule.`,
  params: RepositoryParams,
  body: MergeQueueAdd,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  response: MergeQueueEntry,
  errors: ["conflict", "repository_archived", "repository_mirrored"],
});

export const removeFromMergeQueue = route({
  tag,
  access: "repo_signed_in",
  scope: "mr:write",
  archived: "refused",
  id: "removeFromMergeQueue",
  method: "delete",
  path: one,
  summary: "Take a merge request out of its merge queue",
  description:
    "Whoever added it, its author, and from Maintain on. What is tested with it is made anew without it. 409 once it is about to land.",
  params: MergeRequestParams,
  status: 204,
  errors: ["conflict", "repository_archived"],
});

export const moveInMergeQueue = route({
  tag,
  access: "repo_maintain",
  scope: "mr:write",
  id: "moveInMergeQueue",
  method: "patch",
  path: one,
  summary: "Let a merge request go before all others in its queue",
  description: "What is being tested is given up. 409 once that is about to land.",
  params: MergeRequestParams,
  body: MergeQueueMove,
  status: 200,
  response: MergeQueueEntry,
  errors: ["conflict", "repository_archived"],
});

export const updateMergeQueue = route({
  tag,
  access: "repo_maintain",
  scope: "mr:write",
  id: "updateMergeQueue",
  method: "patch",
  path: all,
  summary: "Pause the merge queue of a branch, or let it go on",
  description: "Runs that have begun go on. Safe to repeat.",
  params: RepositoryParams,
  body: MergeQueueUpdate,
  status: 200,
  response: MergeQueue,
  errors: ["repository_archived"],
});
