/** Operations on a merge request that make or move branches, as pushes by the caller (`decisions.md`, "Collaboration"). */
import { route } from "../core/route.ts";
import { MergeRequestParams } from "../merge-requests/routes.ts";
import {
  BranchMade,
  MergeRequestCherryPick,
  MergeRequestRevert,
  SourceBranch,
  SourceBranchRebase,
  SourceBranchUpdate,
} from "./resource.ts";

const one = "/repos/:owner/:repo/merge-requests/:number";
const shared = {
  tag: "merge-requests",
  method: "post",
  scope: "mr:write",
  params: MergeRequestParams,
  errors: ["conflict", "repository_archived", "repository_mirrored", "quota_exceeded"],
} as const;
const ofSource = {
  ...shared,
  access: "repo_signed_in",
  archived: "refused",
  status: 200,
  response: SourceBranch,
} as const;
const ofMerged = { ...shared, access: "repo_write", status: 201, response: BranchMade } as const;

export const updateSourceBranch = route({
  ...ofSource,
  id: "updateSourceBranch",
  path: `${one}/update-branch`,
  summary: "Bring the target branch into the source branch of a merge request",
  description:
    "It takes Write on the repository of the source branch, and is a push by the caller: the rules for that branch apply, and reviews become stale as after every push. Nothing happens where the source branch has all of the target branch already. 409 where the merge request is not open, where the source branch is not at `sha`, and, with `conflicts`, where both branches changed the same lines. A token needs `repo:write` too, as for every push.",
  body: SourceBranchUpdate,
});

export const rebaseSourceBranch = route({
  ...ofSource,
  id: "rebaseSourceBranch",
  path: `${one}/rebase`,
  summary: "Rebase the source branch of a merge request on its target branch",
  description: "The same as `updateSourceBranch` with the method `rebase`.",
  body: SourceBranchRebase,
});

export const restoreSourceBranch = route({
  ...ofSource,
  id: "restoreSourceBranch",
  path: `${one}/restore-branch`,
  summary: "Bring back the deleted source branch of a merge request that has ended",
  description:
    "At the last head of the merge request, as a push by the caller, who needs Write on the repository of the source branch. Nothing happens where the branch is there at this commit; 409 where it is at another one, where its repository is gone, and where the merge request is open. A token needs `repo:write` too, as for every push.",
});

export const revertMergeRequest = route({
  ...ofMerged,
  id: "revertMergeRequest",
  path: `${one}/revert`,
  summary: "Propose to undo what a merge request has merged",
  description:
    "Makes a branch from the tip of the target branch, `revert-NUMBER-…` unless another name is given, with one commit that undoes all of it, as a push by the caller; and a merge request of that branch. 409 where the merge request is not merged, where the target branch does not have it any more, where nothing of it is left, and, with `conflicts`, where the same lines were changed since. A token needs `repo:write` too, as for every push.",
  body: MergeRequestRevert,
});

export const cherryPickMergeRequest = route({
  ...ofMerged,
  id: "cherryPickMergeRequest",
  path: `${one}/cherry-pick`,
  summary: "Propose to bring what a merge request has merged into another branch",
  description:
    "As `revertMergeRequest`: one commit with all of its changes on a branch from the tip of `target`, `cherry-pick-NUMBER-…` unless another name is given. 409 also where `target` has these changes already.",
  body: MergeRequestCherryPick,
});
