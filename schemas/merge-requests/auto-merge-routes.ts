/** Merging by itself (`decisions.md`, "Collaboration"). */
import { largeBodyBytes, route } from "../core/route.ts";
import { AutoMergeEnable, MergeRequest } from "./resource.ts";
import { MergeRequestParams } from "./routes.ts";

const tag = "merge-requests";
const path = "/repos/:owner/:repo/merge-requests/:number/auto-merge";

export const enableAutoMerge = route({
  tag,
  access: "repo_write",
  scope: "mr:write",
  id: "enableAutoMerge",
  method: "put",
  path,
  summary: "Merge a merge request as soon as nothing stands in its way",
  description:
    "It waits for what the rules of the target branch want, for a draft to be ready, and, where the rules name no checks, for the newest runs of the head to succeed; a failed run can be run again. It is merged for the caller, with the rights that they have then, never with a bypass. Where nothing is missing it is merged at once. 409 for one that is not open, that conflicts, or whose head is not `sha`, and for a strategy that the rules do not allow. What was asked for before is replaced.",
  params: MergeRequestParams,
  body: AutoMergeEnable,
  bodyLimitBytes: largeBodyBytes,
  status: 200,
  response: MergeRequest,
  errors: ["conflict", "repository_archived", "repository_mirrored"],
});

export const cancelAutoMerge = route({
  tag,
  access: "repo_signed_in",
  scope: "mr:write",
  archived: "refused",
  id: "cancelAutoMerge",
  method: "delete",
  path,
  summary: "Do not merge a merge request by itself any more",
  description:
    "The author, and from Write on. Nothing happens where nobody asked for it; 409 while it is being merged.",
  params: MergeRequestParams,
  status: 200,
  response: MergeRequest,
  errors: ["conflict", "repository_archived"],
});
