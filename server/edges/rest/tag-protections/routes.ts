/** Binds the operations on rules for tags. */
import { mergeStrategies } from "@forgeline/schemas/core/merge-strategies.ts";
import {
  createTagProtection,
  deleteTagProtection,
  getTagProtection,
  listTagProtections,
  updateTagProtection,
} from "@forgeline/schemas/tag-protections/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentTagProtection, type ProtectionService } from "../../../domains/hosting/domain.ts";

/** Additional fields of rules for branches. */
const unused = {
  allow_force_push: false,
  allow_deletion: false,
  required_approvals: 0,
  require_pipeline: false,
  dismiss_stale_approvals: false,
  require_last_push_approval: false,
  require_code_owners: false,
  required_checks: [],
  require_linear_history: false,
  require_signed_commits: false,
  merge_strategies: [...mergeStrategies],
  merge_level: "write" as const,
  merge_queue: null,
};

export function registerTagProtectionRoutes(
  app: RouteBinder,
  deps: { tagProtections: ProtectionService; addresses: Addresses },
): void {
  const { tagProtections: rules, addresses } = deps;
  app.bindRepository(listTagProtections, async ({ actor, repository, query }) => {
    const { rows, total } = await rules.list(actor, repository, query);
    return { body: rows.map((row) => presentTagProtection(row, repository, addresses)), total };
  });
  app.bindRepository(getTagProtection, async ({ actor, repository, params }) => ({
    body: presentTagProtection(await rules.get(actor, repository, params.id), repository, addresses),
  }));
  app.bindRepository(createTagProtection, async ({ actor, repository, body }) => {
    const { pattern, create_level, create_users: users, create_teams: teams } = body;
    const settings = { ...unused, pattern, push_level: create_level };
    const made = await rules.create(actor, repository, { settings, exceptions: { push: { users, teams } } });
    const shown = presentTagProtection(made, repository, addresses);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(updateTagProtection, async ({ actor, repository, params, body }) => {
    const { pattern, create_level, create_users: users, create_teams: teams } = body;
    const settings = { pattern, push_level: create_level };
    const change = { id: params.id, settings, exceptions: { push: { users, teams } } };
    return {
      body: presentTagProtection(await rules.update(actor, repository, change), repository, addresses),
    };
  });
  app.bindRepository(deleteTagProtection, ({ actor, repository, params }) =>
    rules.remove(actor, repository, params.id),
  );
}
