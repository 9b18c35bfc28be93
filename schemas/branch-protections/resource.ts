/** Rules that say who may push and merge to which branches, and how. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { MergeQueueSettings, WantedMergeQueue } from "./merge-queue.ts";
import { RequiredCheck, RequiredChecks } from "./required-checks.ts";
import { MergeStrategy, mergeStrategies } from "../core/merge-strategies.ts";
import {
  PushLevel,
  refPattern,
  teamNames,
  userNames,
  wantedTeamNames,
  wantedUserNames,
} from "../core/ref-rules.ts";
import { timestamp } from "../core/time.ts";

const pushLevel = PushLevel.describe(
  "Lowest level that may create, push to, or delete such a branch; `none`: only the users and teams the rule names.",
);
const allowForcePush = z.boolean().describe("Whether a push that is not a fast-forward can replace history.");
const allowDeletion = z.boolean().describe("Whether such a branch may be deleted.");
const requiredApprovals = z
  .int()
  .min(0)
  .max(100)
  .describe(
    "Approvals that a merge request needs; 1 or more also make every request for changes block it. Above 0, such a branch moves by merge requests only: a direct push is refused, unless it brings the head of an open merge request that has its approvals. It can be created at a commit that is in another branch which requires as many.",
  );
const dismissStaleApprovals = z
  .boolean()
  .describe("Whether an approval stops counting when the source branch moves.");
const requireLastPushApproval = z
  .boolean()
  .describe("Whether somebody other than the last pusher has to approve the head as it was pushed last.");
const requireCodeOwners = z
  .boolean()
  .describe(
    "Whether code owners of the changed files have to approve: of each matched line of a section that is not optional, as many as the section says.",
  );
const requirePipeline = z
  .boolean()
  .describe("Whether such a branch only accepts commits for which a run in this repository has succeeded.");

const requireLinearHistory = z
  .boolean()
  .describe("Whether merge commits are refused, in a push as in a merge request.");
const requireSignedCommits = z
  .boolean()
  .describe(
    "Whether every commit that is new to the branch has to have a verified signature, in a push as in a merge request. To a branch that begins, commits are new that neither the default branch nor another branch with such a rule has.",
  );
const allowedStrategies = z
  .array(MergeStrategy)
  .min(1)
  .max(mergeStrategies.length)
  .describe("Ways in which merge requests may be merged.");
const mergeLevel = PushLevel.describe(
  "Lowest level that may merge into such a branch; `none`: only the users and teams the rule names.",
);
const queueText =
  "Whether merge requests land by a queue, which tests what the branch becomes; null: they are merged directly. With it, direct pushes are refused.";
const wantedQueue = WantedMergeQueue.nullable().describe(queueText);

/** Of a merge request. */
const merging = {
  dismiss_stale_approvals: dismissStaleApprovals,
  require_last_push_approval: requireLastPushApproval,
  require_code_owners: requireCodeOwners,
  require_linear_history: requireLinearHistory,
  require_signed_commits: requireSignedCommits,
  merge_strategies: allowedStrategies,
  merge_level: mergeLevel,
};

const settings = {
  push_level: pushLevel,
  allow_force_push: allowForcePush,
  allow_deletion: allowDeletion,
  required_approvals: requiredApprovals,
  require_pipeline: requirePipeline,
  ...merging,
};

export const BranchProtection = z
  .object({
    id: idOf("prot"),
    pattern: z.string(),
    ...settings,
    push_users: userNames,
    push_teams: teamNames,
    required_checks: z.array(RequiredCheck),
    merge_users: userNames,
    merge_teams: teamNames,
    bypass_users: userNames.describe(
      "Users and bots who may merge although approvals, code owners or checks are missing, by saying so and why; it takes Maintain.",
    ),
    bypass_teams: teamNames,
    merge_queue: MergeQueueSettings.nullable().describe(queueText),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "BranchProtection" });
export type BranchProtection = z.infer<typeof BranchProtection>;

export const BranchProtectionCreate = z
  .strictObject({
    pattern: refPattern,
    push_level: pushLevel.default("maintain"),
    push_users: wantedUserNames.default([]),
    push_teams: wantedTeamNames.default([]),
    allow_force_push: allowForcePush.default(false),
    allow_deletion: allowDeletion.default(false),
    required_approvals: requiredApprovals.default(0),
    require_pipeline: requirePipeline.default(false),
    dismiss_stale_approvals: dismissStaleApprovals.default(false),
    require_last_push_approval: requireLastPushApproval.default(false),
    require_code_owners: requireCodeOwners.default(false),
    required_checks: RequiredChecks.default([]),
    require_linear_history: requireLinearHistory.default(false),
    require_signed_commits: requireSignedCommits.default(false),
    merge_strategies: allowedStrategies.default([...mergeStrategies]),
    merge_level: mergeLevel.default("write"),
    merge_users: wantedUserNames.default([]),
    merge_teams: wantedTeamNames.default([]),
    bypass_users: wantedUserNames.default([]),
    bypass_teams: wantedTeamNames.default([]),
    merge_queue: wantedQueue.default(null),
  })
  .meta({ id: "BranchProtectionCreate", examples: [{ pattern: "release/*", push_level: "maintain" }] });
export type BranchProtectionCreate = z.output<typeof BranchProtectionCreate>;

export const BranchProtectionUpdate = z
  .strictObject({
    pattern: refPattern.optional(),
    push_level: pushLevel.optional(),
    push_users: wantedUserNames.optional(),
    push_teams: wantedTeamNames.optional(),
    allow_force_push: allowForcePush.optional(),
    allow_deletion: allowDeletion.optional(),
    required_approvals: requiredApprovals.optional(),
    require_pipeline: requirePipeline.optional(),
    dismiss_stale_approvals: dismissStaleApprovals.optional(),
    require_last_push_approval: requireLastPushApproval.optional(),
    require_code_owners: requireCodeOwners.optional(),
    required_checks: RequiredChecks.optional(),
    require_linear_history: requireLinearHistory.optional(),
    require_signed_commits: requireSignedCommits.optional(),
    merge_strategies: allowedStrategies.optional(),
    merge_level: mergeLevel.optional(),
    merge_users: wantedUserNames.optional(),
    merge_teams: wantedTeamNames.optional(),
    bypass_users: wantedUserNames.optional(),
    bypass_teams: wantedTeamNames.optional(),
    merge_queue: wantedQueue.optional(),
  })
  .meta({ id: "BranchProtectionUpdate", examples: [{ push_level: "admin" }] });
export type BranchProtectionUpdate = z.output<typeof BranchProtectionUpdate>;
