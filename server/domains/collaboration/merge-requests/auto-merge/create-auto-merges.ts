/** Wires merging by itself. */
import { createAutoMergeService, type AutoMergeServiceDeps } from "./service.ts";
import { createAutoMergeTries, type AutoMergeTriesDeps } from "./tries.ts";

export type AutoMergeParts = Omit<AutoMergeServiceDeps, "tries"> & AutoMergeTriesDeps;

export function createAutoMerges(parts: AutoMergeParts) {
  const tries = createAutoMergeTries(parts);
  return { autoMerges: createAutoMergeService({ ...parts, tries }), autoMergeTries: tries };
}
