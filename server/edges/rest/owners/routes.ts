/** Binds the operation that tells whose a name is. */
import type { Owner } from "@forgeline/schemas/owners/resource.ts";
import { getOwner } from "@forgeline/schemas/owners/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentUser, type UserService } from "../../../domains/accounts/domain.ts";
import { presentOrganization, type OrganizationService } from "../../../domains/organizations/domain.ts";

interface OwnerRouteDeps {
  users: Pick<UserService, "findByName">;
  organizations: Pick<OrganizationService, "getByName">;
  addresses: Addresses;
}

export function registerOwnerRoutes(app: RouteBinder, deps: OwnerRouteDeps): void {
  app.bind(getOwner, async ({ params }) => ({ body: await ownerOf(deps, params.owner) }));
}

async function ownerOf({ users, organizations, addresses }: OwnerRouteDeps, name: string): Promise<Owner> {
  const user = await users.findByName(name);
  if (user)
    return { name: user.username, type: "user", user: presentUser(user, addresses), organization: null };
  const organization = await organizations.getByName(name);
  const shown = presentOrganization(organization, addresses);
  return { name: organization.name, type: "organization", user: null, organization: shown };
}
