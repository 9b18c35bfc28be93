/** Binds the operations on rules for tags. */
import type { TagProtection } from "@forgeline/schemas/tag-protections/resource.ts";
import {
  createTagProtection,
  deleteTagProtection,
  getTagProtection,
  listTagProtections,
  updateTagProtection,
} from "@forgeline/schemas/tag-protections/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../../domains/policy/domain.ts";
import {
  repositoryAddress,
  type ProtectionService,
  type ShownRule,
} from "../../../domains/hosting/domain.ts";

/** What rules for branches have in addition. */
const unused = {
  allow_force_push: false,
  allow_deletion: false,
  required_approvals: 0,
  require_pipeline: false,
};

export function registerTagProtectionRoutes(
  app: RouteBinder,
  deps: { tagProtections: ProtectionService; addresses: Addresses },
): void {
  const { tagProtections: rules, addresses } = deps;
  const show = (row: ShownRule, repository: RepositoryRef) => present(row, repository, addresses);
  app.bindRepository(listTagProtections, async ({ actor, repository, query }) => {
    const { rows, total } = await rules.list(actor, repository, query);
    return { body: rows.map((row) => show(row, repository)), total };
  });
  app.bindRepository(getTagProtection, async ({ actor, repository, params }) => ({
    body: show(await rules.get(actor, repository, params.id), repository),
  }));
  app.bindRepository(createTagProtection, async ({ actor, repository, body }) => {
    const { pattern, create_level, create_users: users, create_teams: teams } = body;
    const settings = { ...unused, pattern, push_level: create_level };
    const made = await rules.create(actor, repository, { settings, exceptions: { users, teams } });
    const shown = show(made, repository);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(updateTagProtection, async ({ actor, repository, params, body }) => {
    const { pattern, create_level, create_users: users, create_teams: teams } = body;
    const settings = { pattern, push_level: create_level };
    const change = { id: params.id, settings, exceptions: { users, teams } };
    return { body: show(await rules.update(actor, repository, change), repository) };
  });
  app.bindRepository(deleteTagProtection, ({ actor, repository, params }) =>
    rules.remove(actor, repository, params.id),
  );
}

function present(row: ShownRule, repository: RepositoryRef, addresses: Addresses): TagProtection {
  const address = repositoryAddress(addresses, repository);
  return {
    id: row.id,
    pattern: row.pattern,
    create_level: row.push_level,
    create_users: row.users,
    create_teams: row.teams,
    url: address.api("tag-protections", row.id),
    web_url: address.web("settings", "tags"),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
