/** Wires merging by itself. */
import type { Accounts } from "../../../accounts/domain.ts";
import type { Hosting } from "../../../hosting/domain.ts";
import { createLaterActors } from "../later-actor.ts";
import { createAutoMergeService, type AutoMergeServiceDeps } from "./service.ts";
import { createAutoMergeTries, type AutoMergeTriesDeps } from "./tries.ts";

export type AutoMergeParts = Omit<AutoMergeServiceDeps, "tries"> &
  Omit<AutoMergeTriesDeps, "laterActors"> & { users: Accounts["users"]; upstreams: Hosting["upstreams"] };

export function createAutoMerges(parts: AutoMergeParts) {
  const tries = createAutoMergeTries({ ...parts, laterActors: createLaterActors(parts) });
  return { autoMerges: createAutoMergeService({ ...parts, tries }), autoMergeTries: tries };
}
