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
import { createRepositoryShow, type RepositoryService } from "../../../domains/hosting/domain.ts";
import { presentOrganization, type OrganizationService } from "../../../domains/organizations/domain.ts";

export function registerOrganizationRoutes(
  app: RouteBinder,
  deps: {
    organizations: OrganizationService;
    repositories: Pick<RepositoryService, "listVisible" | "visibleNames">;
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
    const { rows, total } = await deps.repositories.listVisible(actor, organization.id, query);
    return { body: await createRepositoryShow(deps).all(actor, rows), total };
  });
}
