/** Binds the operation that tells whose a name is. */
import { getOwner } from "@forgeline/schemas/owners/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentOwner, type OwnerLookup } from "../../../domains/organizations/domain.ts";

export function registerOwnerRoutes(
  app: RouteBinder,
  { ownerLookup, addresses }: { ownerLookup: OwnerLookup; addresses: Addresses },
): void {
  app.bind(getOwner, async ({ params }) => ({
    body: presentOwner(await ownerLookup.find(params.owner), addresses),
  }));
}
