/** Operations on the conflicts of a merge request. */
import { z } from "zod";
import { Commit } from "../commits/resource.ts";
import { restOfPath } from "../core/path.ts";
import { route } from "../core/route.ts";
import { MergeRequestParams } from "../merge-requests/routes.ts";
import { ConflictsResolve, MergeConflictFile, MergeConflicts } from "./resource.ts";

const tag = "conflicts";
const all = "/repos/:owner/:repo/merge-requests/:number/conflicts";
const read = { tag, method: "get", access: "repo_read", scope: "mr:read", status: 200 } as const;

export const listConflicts = route({
  ...read,
  id: "listConflicts",
  path: all,
  summary: "Files of a merge request that conflict",
  description:
    "Both branches are merged as they are now. No files where nothing conflicts, and where the merge request is not open. 409 where a branch is gone, and where they share no history.",
  params: MergeRequestParams,
  response: MergeConflicts,
  errors: ["conflict"],
});

export const getConflict = route({
  ...read,
  id: "getConflict",
  path: `${all}/*path`,
  summary: "A file of a merge request that conflicts, with its conflicting lines",
  description: "404 where it does not conflict any more. Otherwise as `listConflicts`.",
  params: z.strictObject({ ...MergeRequestParams.shape, path: restOfPath("Path inside the repository.") }),
  response: MergeConflictFile,
  errors: ["conflict"],
});

/** Some files that people edit, and what stands around them: JSON writes some characters as six. */
const bodyLimitBytes = 8 * 1024 * 1024;

export const resolveConflicts = route({
  id: "resolveConflicts",
  tag,
  method: "post",
  path: `${all}/resolve`,
  access: "repo_signed_in",
  scope: "mr:write",
  archived: "refused",
  summary: "Resolve the conflicts of a merge request, in one commit on the source branch",
  description:
    "The commit merges the target branch into the source branch, with these files in place of those that conflict. It takes Write on the repository of the source branch, and is a push by the caller: the rules for that branch apply. 409 where the merge request is not open, where the source branch is not at `head_sha` any more, where the target branch has moved and other files or versions conflict now, and where nothing conflicts. A token needs `repo:write` too, as for every push.",
  params: MergeRequestParams,
  body: ConflictsResolve,
  bodyLimitBytes,
  status: 200,
  response: Commit,
  errors: ["conflict", "repository_archived", "repository_mirrored", "quota_exceeded"],
});
