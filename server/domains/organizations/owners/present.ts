/** Owners as the REST interface shows them. */
import type { Owner as ShownOwner } from "@forgeline/schemas/owners/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentUser } from "../../accounts/domain.ts";
import { presentOrganization } from "../organizations/present.ts";
import type { Owner } from "./lookup.ts";

export function presentOwner(owner: Owner, addresses: Addresses): ShownOwner {
  if (owner.kind === "user") {
    const { user } = owner;
    return { name: user.username, type: "user", user: presentUser(user, addresses), organization: null };
  }
  const shown = presentOrganization(owner.organization, addresses);
  return { name: owner.organization.name, type: "organization", user: null, organization: shown };
}
