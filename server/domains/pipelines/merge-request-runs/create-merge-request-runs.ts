/** Wires the runs of merge requests for the domain, with the people whose runs need no approval. */
import { createTrustedAuthorService } from "../trusted-authors/service.ts";
import { createForkExpiry } from "./expire-forks.ts";
import { createMergeQueueRuns } from "./queue-runs.ts";
import { dropRemoved } from "./merged-results.ts";
import { createMergeRequestRuns } from "./service.ts";

export function createOfMergeRequests(deps: Parameters<typeof createMergeRequestRuns>[0]) {
  return {
    mergeRequestRuns: createMergeRequestRuns(deps),
    mergeQueueRuns: createMergeQueueRuns(deps),
    /** Before a prune of the repository. */
    dropRemovedResults: (repositoryId: string) => dropRemoved(deps, repositoryId),
    trustedAuthors: createTrustedAuthorService(deps),
    forkApprovals: deps.forkApprovals,
    forkExpiry: createForkExpiry(deps),
  };
}
