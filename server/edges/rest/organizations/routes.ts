/** Binds the operations on organizations. */
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizationRepositories,
  listUserOrganizations,
  updateOrganization,
} from "@forgeline/schemas/organizations/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentRepository, type RepositoryService } from "../../../domains/hosting/domain.ts";
import { presentOrganization, type OrganizationService } from "../../../domains/organizations/domain.ts";

export function registerOrganizationRoutes(
  app: RouteBinder,
  deps: {
    organizations: OrganizationService;
    repositories: Pick<RepositoryService, "listOfOwner">;
    addresses: Addresses;
  },
): void {
  const { organizations, addresses } = deps;
  app.bind(createOrganization, async ({ actor, body }) => {
    const shown = presentOrganization(await organizations.create(actor, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bindOrganization(getOrganization, async ({ organization }) => ({
    body: presentOrganization(await organizations.get(organization.id), addresses),
  }));
  app.bindOrganization(updateOrganization, async ({ actor, organization, body }) => ({
    body: presentOrganization(await organizations.update(actor, organization, body), addresses),
  }));
  app.bindOrganization(deleteOrganization, ({ actor, organization }) =>
    organizations.remove(actor, organization),
  );
  app.bind(listUserOrganizations, async ({ actor, query }) => {
    const { rows, total } = await organizations.listOwn(actor, query);
    const shown = rows.map((row) => ({ ...presentOrganization(row, addresses), role: row.role }));
    return { body: shown, total };
  });
  app.bindOrganization(listOrganizationRepositories, async ({ actor, organization, query }) => {
    const { views, total } = await deps.repositories.listOfOwner(actor, organization.id, query);
    return { body: views.map((view) => presentRepository(view, addresses)), total };
  });
}
