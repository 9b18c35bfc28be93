/** Binds the operations of the instance's administrators on organizations. */
import { listOrganizations, setOrganizationPlan } from "@forgeline/schemas/administration/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  type OrganizationAdministration,
  presentOrganization,
} from "../../../domains/organizations/domain.ts";

export function registerOrganizationAdministrationRoutes(
  app: RouteBinder,
  deps: { organizationAdministration: OrganizationAdministration; addresses: Addresses },
): void {
  const { organizationAdministration, addresses } = deps;
  app.bind(listOrganizations, async ({ query }) => {
    const { rows, total } = await organizationAdministration.list(query);
    return { body: rows.map((row) => presentOrganization(row, addresses)), total };
  });
  app.bind(setOrganizationPlan, async ({ actor, params, body }) => ({
    body: presentOrganization(
      await organizationAdministration.setPlan(actor, params.org, body.plan),
      addresses,
    ),
  }));
}
