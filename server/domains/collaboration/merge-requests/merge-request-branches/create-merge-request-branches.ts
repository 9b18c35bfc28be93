/** Wires what operations on a merge request make of branches. */
import {
  createSourceBranchRestoring,
  type SourceBranchRestoring,
  type SourceBranchRestoringDeps,
} from "./restore-source.ts";
import { createMergedChanges, type MergedChanges, type MergedChangesDeps } from "./take-merged.ts";
import {
  createSourceBranchUpdates,
  type SourceBranchUpdates,
  type SourceBranchUpdatesDeps,
} from "./update-source.ts";

export type MergeRequestBranches = SourceBranchUpdates & SourceBranchRestoring & MergedChanges;

export function createMergeRequestBranches(
  deps: SourceBranchUpdatesDeps & SourceBranchRestoringDeps & MergedChangesDeps,
): MergeRequestBranches {
  return {
    ...createSourceBranchUpdates(deps),
    ...createSourceBranchRestoring(deps),
    ...createMergedChanges(deps),
  };
}
