/** Binds the operations on rules for branches. */
import type { BranchProtection } from "@forgeline/schemas/branch-protections/resource.ts";
import {
  createBranchProtection,
  deleteBranchProtection,
  getBranchProtection,
  listBranchProtections,
  updateBranchProtection,
} from "@forgeline/schemas/branch-protections/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../../domains/policy/domain.ts";
import {
  repositoryAddress,
  type ProtectionService,
  type ShownRule,
} from "../../../domains/hosting/domain.ts";

export function registerBranchProtectionRoutes(
  app: RouteBinder,
  deps: { branchProtections: ProtectionService; addresses: Addresses },
): void {
  const { branchProtections: rules, addresses } = deps;
  const show = (row: ShownRule, repository: RepositoryRef) => present(row, repository, addresses);
  app.bindRepository(listBranchProtections, async ({ actor, repository, query }) => {
    const { rows, total } = await rules.list(actor, repository, query);
    return { body: rows.map((row) => show(row, repository)), total };
  });
  app.bindRepository(getBranchProtection, async ({ actor, repository, params }) => ({
    body: show(await rules.get(actor, repository, params.id), repository),
  }));
  app.bindRepository(createBranchProtection, async ({ actor, repository, body }) => {
    const { push_users: users, push_teams: teams, ...settings } = body;
    const made = await rules.create(actor, repository, { settings, exceptions: { users, teams } });
    const shown = show(made, repository);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(updateBranchProtection, async ({ actor, repository, params, body }) => {
    const { push_users: users, push_teams: teams, ...settings } = body;
    const change = { id: params.id, settings, exceptions: { users, teams } };
    return { body: show(await rules.update(actor, repository, change), repository) };
  });
  app.bindRepository(deleteBranchProtection, ({ actor, repository, params }) =>
    rules.remove(actor, repository, params.id),
  );
}

function present(row: ShownRule, repository: RepositoryRef, addresses: Addresses): BranchProtection {
  const address = repositoryAddress(addresses, repository);
  return {
    id: row.id,
    pattern: row.pattern,
    push_level: row.push_level,
    push_users: row.users,
    push_teams: row.teams,
    allow_force_push: row.allow_force_push,
    allow_deletion: row.allow_deletion,
    required_approvals: row.required_approvals,
    require_pipeline: row.require_pipeline,
    url: address.api("branch-protections", row.id),
    web_url: address.web("settings", "branches"),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
