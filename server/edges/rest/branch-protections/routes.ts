/** Binds the operations on rules for branches. */
import {
  createBranchProtection,
  deleteBranchProtection,
  getBranchProtection,
  listBranchProtections,
  updateBranchProtection,
} from "@forgeline/schemas/branch-protections/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentBranchProtection, type ProtectionService } from "../../../domains/hosting/domain.ts";

export function registerBranchProtectionRoutes(
  app: RouteBinder,
  deps: { branchProtections: ProtectionService; addresses: Addresses },
): void {
  const { branchProtections: rules, addresses } = deps;
  app.bindRepository(listBranchProtections, async ({ actor, repository, query }) => {
    const { rows, total } = await rules.list(actor, repository, query);
    return { body: rows.map((row) => presentBranchProtection(row, repository, addresses)), total };
  });
  app.bindRepository(getBranchProtection, async ({ actor, repository, params }) => ({
    body: presentBranchProtection(await rules.get(actor, repository, params.id), repository, addresses),
  }));
  app.bindRepository(createBranchProtection, async ({ actor, repository, body }) => {
    const made = await rules.create(actor, repository, partsOf(body));
    const shown = presentBranchProtection(made, repository, addresses);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(updateBranchProtection, async ({ actor, repository, params, body }) => {
    const change = { id: params.id, ...partsOf(body) };
    return {
      body: presentBranchProtection(await rules.update(actor, repository, change), repository, addresses),
    };
  });
  app.bindRepository(deleteBranchProtection, ({ actor, repository, params }) =>
    rules.remove(actor, repository, params.id),
  );
}

type NameLists = { [Name in `${"push" | "merge" | "bypass"}_${"users" | "teams"}`]?: string[] | undefined };

/** What a rule says, and whom it names. */
function partsOf<Body extends NameLists>(body: Body) {
  const { push_users, push_teams, merge_users, merge_teams, bypass_users, bypass_teams, ...settings } = body;
  const exceptions = {
    push: { users: push_users, teams: push_teams },
    merge: { users: merge_users, teams: merge_teams },
    bypass: { users: bypass_users, teams: bypass_teams },
  };
  return { settings, exceptions };
}
