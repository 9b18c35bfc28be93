/** Wires merge requests for the container, and follows what is pushed. */
import type { Platform } from "../../../platform/platform.ts";
import type { Accounts } from "../../accounts/domain.ts";
import type { Hosting } from "../../hosting/domain.ts";
import type { Pipelines } from "../../pipelines/domain.ts";
import type { Closings } from "../references/closings.ts";
import type { References } from "../references/references.ts";
import type { Policy } from "../../policy/domain.ts";
import { createQueueDepartures } from "../merge-queue/departures.ts";
import { createMergeQueue } from "../merge-queue/create-merge-queue.ts";
import { createThreadPositions } from "../reviews/positions.ts";
import type { Reviewers } from "../reviews/reviewers.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { Place, WorkItems } from "../work-items/work-items.ts";
import { touch } from "./auto-merges.store.ts";
import { createAutoMerges } from "./auto-merge/create-auto-merges.ts";
import { createBranches } from "./branches.ts";
import { createMergeRequestChanges, placeActor, type MergeRequestChanges } from "./changes.ts";
import { requestCheck } from "./checks.store.ts";
import { createMergeRequestComparison } from "./comparison.ts";
import { createMergeRequestContent } from "./content.ts";
import { createForeignSources } from "./foreign-source.ts";
import { createEditsByMaintainers, type EditsByMaintainers } from "./invitations.ts";
import { createHeadBringers } from "./head-bringers.ts";
import { createMergeRequestBranches } from "./merge-request-branches/create-merge-request-branches.ts";
import { createMergeRequestMerging, type MergingDeps } from "./merging.ts";
import { createMergeRequestPushFollower } from "./push-follower.ts";
import type { LabelService } from "../labels/service.ts";
import type { TextTemplateService } from "../text-templates/service.ts";
import { createLaterActors } from "./later-actor.ts";
import { createMergeMaker } from "./make-merge.ts";
import { createQueuedMerging, type QueuedMergingDeps } from "./queued-merging.ts";
import type { CodeOwnersService } from "../code-owners/service.ts";
import { createOwnerRequests } from "./requirements/ask-owners.ts";
import { createMergeRequirements, type MergeRequirements } from "./requirements/service.ts";
import { createMergeRequestService, type MergeRequestService } from "./service.ts";
import { createMergeRequestSources } from "./sources.ts";
import { createSourceBranches } from "./source-branch.ts";

export interface MergeRequestParts {
  platform: Platform;
  policy: Policy;
  accounts: Accounts;
  hosting: Hosting;
  pipelines: Pipelines;
  workItems: WorkItems;
  references: References;
  closings: Closings;
  codeOwners: CodeOwnersService;
  reviewers: Reviewers;
  labels: LabelService;
  textTemplates: TextTemplateService;
}

export function createMergeRequests(parts: MergeRequestParts) {
  const { platform, policy, accounts, hosting, workItems, references, codeOwners, reviewers } = parts;
  const { mergeRequestRuns: runs, ...ofRuns } = parts.pipelines;
  const requirements = createMergeRequirements({ ...platform, ...hosting, codeOwners, ...ofRuns });
  const changes = createMergeRequestChanges(workItems, { references, runs, queue: createQueueDepartures() });
  const branches = createBranches(platform);
  ofRuns.forkApprovals.follow(tellOfApprovals(changes));
  const ofSources = { ...platform, ...policy, ...hosting, users: accounts.users, branches, changes };
  const shared = {
    ...platform,
    branches,
    changes,
    closings: parts.closings,
    commits: hosting.commits,
    signCommit: hosting.signCommit,
    pushes: hosting.pushes,
    users: accounts.users,
    sourceBranches: createSourceBranches({ ...platform, ...hosting }),
    sources: createMergeRequestSources(ofSources),
    foreignSources: createForeignSources(ofSources),
    headBringers: createHeadBringers({ ...hosting, workItems }),
    requirements,
    edits: createPushing(parts, { changes, ...requirements }),
  };
  const ofNew = { reviewers, labels: parts.labels, templates: parts.textTemplates };
  const mergeRequests = createMergeRequestService({ ...shared, workItems, references, ...ofNew });
  return {
    ...createMerging(parts, { ...shared, ...mergeRequests }),
    mergeRequests,
    sourceBranches: shared.sourceBranches,
    mergeRequestBranches: createMergeRequestBranches({ ...shared, ...mergeRequests }),
    mergeRequirements: requirements,
    mergeRequestContent: createMergeRequestContent({ ...shared, changedFiles: hosting.changedFiles }),
    mergeRequestComparison: createMergeRequestComparison({
      ...shared,
      runs,
      positions: createThreadPositions(platform),
      ownerRequests: createOwnerRequests({ ...platform, changes, reviewers, codeOwners }),
    }),
    reviewedMergeRequests: reviewed(changes, mergeRequests),
  };
}

/** What is asked before a push, and what follows from it. */
function createPushing(
  { platform, hosting, accounts }: MergeRequestParts,
  { changes, isApproved }: Pick<MergeRequirements, "isApproved"> & { changes: MergeRequestChanges },
): EditsByMaintainers {
  const edits = createEditsByMaintainers({ ...platform, ...hosting, users: accounts.users });
  const { invitations } = edits;
  const follower = createMergeRequestPushFollower(changes, { ...platform, ...hosting });
  hosting.followPushes(follower, { isApproved, invitations });
  return edits;
}

type MergingShared = Omit<MergingDeps, "requirements"> &
  Omit<QueuedMergingDeps, "laterActors" | "make" | "requirements"> & { requirements: MergeRequirements };

/** All ways to merge one: at once, by itself, and by the queue of its target branch. */
function createMerging(parts: MergeRequestParts, shared: MergingShared) {
  const { accounts, hosting } = parts;
  const laterActors = createLaterActors({ ...accounts, ...hosting });
  const queued = createQueuedMerging({ ...shared, laterActors, make: createMergeMaker(shared) });
  const queue = createMergeQueue({ ...parts, ...shared, merging: queued });
  const merging = createMergeRequestMerging(shared);
  const { mergeRequestRuns: runs } = parts.pipelines;
  const { logger } = parts.platform;
  return {
    ...queue,
    ...createAutoMerges({ ...shared, ...queue, laterActors, logger, merging, runs }),
  };
}

function tellOfApprovals(changes: MergeRequestChanges): Parameters<Pipelines["forkApprovals"]["follow"]>[0] {
  return (tx, { repositoryId, number, actorId, end }) => {
    const item = { repository_id: repositoryId, number };
    return changes.tellOfApproval(tx, { item, actor: placeActor(actorId) }, end);
  };
}

/** What reviews need of them. */
function reviewed({ lock, snapshot, tell, askReview }: MergeRequestChanges, { get }: MergeRequestService) {
  const tellEdited = (tx: Transaction, place: Place) => tell(tx, place, "edited");
  return { lock, snapshot, compareAgain: requestCheck, judgeAgain: touch, tellEdited, askReview, get };
}
