/** Binds the operations on a merge request that make or move branches. */
import {
  cherryPickMergeRequest,
  rebaseSourceBranch,
  restoreSourceBranch,
  revertMergeRequest,
  updateSourceBranch,
} from "@forgeline/schemas/merge-request-branches/routes.ts";
import type { BranchMade } from "@forgeline/schemas/merge-request-branches/resource.ts";
import type { MergeRequestBranches } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerMergeRequestBranchRoutes(
  app: RouteBinder,
  { mergeRequestBranches: branches }: { mergeRequestBranches: MergeRequestBranches },
): void {
  app.bindRepository(updateSourceBranch, async ({ actor, params, body, ...granted }) => ({
    body: await branches.update(actor, granted, { ...body, number: params.number }),
  }));
  app.bindRepository(rebaseSourceBranch, async ({ actor, params, body, ...granted }) => ({
    body: await branches.update(actor, granted, { ...body, method: "rebase", number: params.number }),
  }));
  app.bindRepository(restoreSourceBranch, async ({ actor, params, ...granted }) => ({
    body: await branches.restore(actor, granted, params.number),
  }));
  app.bindRepository(revertMergeRequest, async ({ actor, params, body, ...granted }) =>
    created(await branches.revert(actor, granted, { ...body, number: params.number })),
  );
  app.bindRepository(cherryPickMergeRequest, async ({ actor, params, body, ...granted }) =>
    created(await branches.cherryPick(actor, granted, { ...body, number: params.number })),
  );
}

function created(made: BranchMade): { body: BranchMade; location: string } {
  return { body: made, location: made.merge_request?.url ?? made.branch_url };
}
