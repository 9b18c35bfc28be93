/** Wires merge requests for the container, and follows what is pushed. */
import type { Platform } from "../../../platform/platform.ts";
import type { Accounts } from "../../accounts/domain.ts";
import type { Hosting } from "../../hosting/domain.ts";
import { createThreadPositions } from "../reviews/positions.ts";
import type { Reviewers } from "../reviews/reviewers.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import { createBranches } from "./branches.ts";
import { createMergeRequestChanges } from "./changes.ts";
import { requestCheck } from "./checks.store.ts";
import { createMergeRequestComparison } from "./comparison.ts";
import { createMergeRequestContent } from "./content.ts";
import { createMergeRequestMerging } from "./merging.ts";
import { createMergeRequestPushFollower } from "./push-follower.ts";
import { createMergeRequestService } from "./service.ts";

export interface MergeRequestParts {
  platform: Platform;
  accounts: Accounts;
  hosting: Hosting;
  workItems: WorkItems;
  reviewers: Reviewers;
}

export function createMergeRequests(parts: MergeRequestParts) {
  const { platform, accounts, hosting, workItems, reviewers } = parts;
  const changes = createMergeRequestChanges(workItems);
  const branches = createBranches(platform);
  hosting.follow({
    pushes: createMergeRequestPushFollower(changes),
    // Everything about them is in the database, and goes with the repository.
    deleted: () => Promise.resolve(),
    removeContent: () => Promise.resolve(),
    hasPassed: () => Promise.resolve(false),
    logBytes: () => Promise.resolve(0),
  });
  const shared = {
    ...platform,
    branches,
    changes,
    commits: hosting.commits,
  };
  const mergeRequests = createMergeRequestService({ ...shared, workItems, reviewers });
  const { users } = accounts;
  const { pushes } = hosting;
  return {
    mergeRequests,
    mergeRequestContent: createMergeRequestContent({ ...shared, changedFiles: hosting.changedFiles }),
    mergeRequestMerging: createMergeRequestMerging({ ...shared, pushes, users, get: mergeRequests.get }),
    mergeRequestComparison: createMergeRequestComparison({
      ...shared,
      positions: createThreadPositions(platform),
    }),
    /** What reviews need of them. */
    reviewedMergeRequests: {
      lock: changes.lock,
      snapshot: changes.snapshot,
      compareAgain: requestCheck,
      tellEdited: (tx: Transaction, place: Place) => changes.tell(tx, place, "edited"),
      get: mergeRequests.get,
    },
  };
}
