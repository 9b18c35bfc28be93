/** Rules for branches and tags as the REST interface shows them. */
import { mergeQueueOf } from "@forgeline/schemas/branch-protections/merge-queue.ts";
import type { BranchProtection } from "@forgeline/schemas/branch-protections/resource.ts";
import type { TagProtection } from "@forgeline/schemas/tag-protections/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";
import type { ShownRule } from "./service.ts";

export function presentBranchProtection(
  row: ShownRule,
  repository: RepositoryRef,
  addresses: Addresses,
): BranchProtection {
  const address = repositoryAddress(addresses, repository);
  return {
    id: row.id,
    pattern: row.pattern,
    push_level: row.push_level,
    push_users: row.named.push.users,
    push_teams: row.named.push.teams,
    allow_force_push: row.allow_force_push,
    allow_deletion: row.allow_deletion,
    required_approvals: row.required_approvals,
    require_pipeline: row.require_pipeline,
    dismiss_stale_approvals: row.dismiss_stale_approvals,
    require_last_push_approval: row.require_last_push_approval,
    require_code_owners: row.require_code_owners,
    required_checks: row.required_checks,
    require_linear_history: row.require_linear_history,
    require_signed_commits: row.require_signed_commits,
    merge_strategies: row.merge_strategies,
    merge_level: row.merge_level,
    merge_users: row.named.merge.users,
    merge_teams: row.named.merge.teams,
    bypass_users: row.named.bypass.users,
    bypass_teams: row.named.bypass.teams,
    merge_queue: row.merge_queue && mergeQueueOf(row.merge_queue),
    url: address.api("branch-protections", row.id),
    web_url: address.web("settings", "branches"),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentTagProtection(
  row: ShownRule,
  repository: RepositoryRef,
  addresses: Addresses,
): TagProtection {
  const address = repositoryAddress(addresses, repository);
  return {
    id: row.id,
    pattern: row.pattern,
    create_level: row.push_level,
    create_users: row.named.push.users,
    create_teams: row.named.push.teams,
    url: address.api("tag-protections", row.id),
    web_url: address.web("settings", "tags"),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
