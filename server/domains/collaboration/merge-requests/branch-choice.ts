/** Which branches a merge request has: no two open ones have the same, and the target can be another one while it is open. */
import { AppError } from "../../../platform/app-error.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import { pairOf, type BranchPair, type Branches } from "./branches.ts";
import * as store from "./merge-requests.store.ts";

/** With the repository of the source; null: it is gone. */
export type ProposedPair = BranchPair & { sourceId: string | null };

export interface Retargeted {
  pair: ProposedPair;
  compared: store.Compared;
}

export interface BranchChoice {
  /** Throws `conflict`, naming the one that is open. */
  refuseSecond(db: Queryable, repositoryId: string, pair: ProposedPair): Promise<void>;
  /** undefined where the target stays. Git is asked, so before the transaction. Throws `validation_failed`. */
  retargeted(row: store.MergeRequestRow, target: string | undefined): Promise<Retargeted | undefined>;
  /** Throws `conflict`. */
  retarget(tx: Transaction, place: Place, to: Retargeted): Promise<void>;
}

export interface BranchChoiceDeps {
  workItems: Pick<WorkItems, "record">;
  branches: Pick<Branches, "compare">;
}

export function createBranchChoice({ workItems, branches }: BranchChoiceDeps): BranchChoice {
  async function refuseSecond(db: Queryable, repositoryId: string, pair: ProposedPair): Promise<void> {
    const number = await store.findOpen(db, repositoryId, pair);
    if (number !== undefined) throw isOpenAlready(number);
  }

  return {
    refuseSecond,
    async retargeted(row, target) {
      if (target === undefined || target === row.target_branch) return undefined;
      const pair = { ...pairOf(row), target, sourceId: row.source_repository_id };
      return { pair, compared: await branches.compare(row.repository_id, pair) };
    },
    async retarget(tx, place, { pair, compared }) {
      const { id, state, repository_id: repositoryId } = place.item;
      const before = await store.readBranches(tx, id);
      if (state !== "open")
        throw new AppError("conflict", { message: "The target branch can be changed while it is open." });
      if (before.is_merging) throw new AppError("conflict", { message: mergingText });
      await refuseSecond(tx, repositoryId, pair);
      if (!(await store.compareAgain(tx, { id, target: pair.target }, compared)))
        throw isOpenAlready(undefined);
      const details = { from: before.target_branch, to: pair.target };
      await workItems.record(tx, place, [{ kind: "retargeted", details }]);
    },
  };
}

export const mergingText = "It is being merged right now: look at it again in a moment.";

export function isOpenAlready(number: number | undefined): AppError {
  const which = number === undefined ? "A merge request" : `Merge request !${number}`;
  return new AppError("conflict", { message: `${which} with these branches is open already.` });
}
