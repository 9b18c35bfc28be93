/** Brings back the deleted source branch of a merge request that has ended, as a push by the caller. */
import type { SourceBranch } from "@forgeline/schemas/merge-request-branches/resource.ts";
import type { Actor } from "../../../../platform/access/actor.ts";
import { AppError } from "../../../../platform/app-error.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { zeroId } from "../../../../platform/git/refs/names.ts";
import type { GrantedRepository } from "../../../policy/domain.ts";
import { findMergeRequest } from "../merge-requests.store.ts";
import type { MergeRequestService } from "../service.ts";
import type { SourceBranches } from "../source-branch.ts";
import { conflict, withPatience } from "./refusals.ts";

export interface SourceBranchRestoring {
  /**
   * At the head that the merge request has. Safe to repeat. Throws `not_found`; `forbidden` without Write on the repository of the
   * branch; `conflict` where the merge request is open, the branch is at another commit, or its repository is gone; and what a
   * push is refused with.
   */
  restore(actor: Actor, granted: GrantedRepository, number: number): Promise<SourceBranch>;
}

export interface SourceBranchRestoringDeps {
  db: Database;
  sourceBranches: SourceBranches;
  get: MergeRequestService["get"];
}

export function createSourceBranchRestoring(deps: SourceBranchRestoringDeps): SourceBranchRestoring {
  const { sourceBranches } = deps;
  return {
    async restore(actor, granted, number) {
      const row = await findMergeRequest(deps.db, granted.repository.id, number);
      if (!row) throw new AppError("not_found");
      const { repository, ref, sha: tip } = await sourceBranches.look(actor, granted, row);
      const { head_sha: sha, source_branch: name } = row;
      if (row.state === "open") throw conflict("It is open: its source branch is there.");
      if (tip !== undefined && tip !== sha)
        throw conflict(`The branch ${name} is there, at ${tip.slice(0, 12)}.`);
      if (tip === undefined) {
        const gone = { repository, ref, sha: zeroId, isInvited: false };
        const wanted = { target: granted.repository, commit: sha };
        await withPatience((signal) => sourceBranches.bring(actor, gone, { ...wanted, signal }));
        if (!(await sourceBranches.push(actor, gone, sha)))
          throw conflict(`The branch ${name} was made just now: look at it again.`);
      }
      const changed = tip === undefined;
      return { changed, sha, merge_request: await deps.get(actor, granted, number) };
    },
  };
}
