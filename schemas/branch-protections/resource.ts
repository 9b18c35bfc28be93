/** Rules that say who may push to which branches, and how. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
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
    "Above 0: such a branch moves by merge requests only. Every direct push to it is refused, whoever pushes; it can be created at a commit that is in another branch which requires as many.",
  );
const requirePipeline = z
  .boolean()
  .describe("Whether such a branch only accepts commits for which a run in this repository has succeeded.");

const settings = {
  push_level: pushLevel,
  allow_force_push: allowForcePush,
  allow_deletion: allowDeletion,
  required_approvals: requiredApprovals,
  require_pipeline: requirePipeline,
};

export const BranchProtection = z
  .object({
    id: idOf("prot"),
    pattern: z.string(),
    ...settings,
    push_users: userNames,
    push_teams: teamNames,
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
  })
  .meta({ id: "BranchProtectionUpdate", examples: [{ push_level: "admin" }] });
export type BranchProtectionUpdate = z.output<typeof BranchProtectionUpdate>;
