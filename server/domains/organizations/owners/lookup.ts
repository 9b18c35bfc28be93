/** Finds the user or organization with a name. They share one namespace. */
import type { UserRow, UserService } from "../../accounts/domain.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { OrganizationRow } from "../organizations/organizations.store.ts";

export type Owner = { kind: "user"; user: UserRow } | { kind: "organization"; organization: OrganizationRow };

export interface OwnerLookup {
  /** Without regard to case. Throws `not_found`. */
  find(name: string): Promise<Owner>;
}

export interface OwnerLookupDeps {
  users: Pick<UserService, "findByName">;
  organizations: Pick<OrganizationService, "getByName">;
}

export function createOwnerLookup({ users, organizations }: OwnerLookupDeps): OwnerLookup {
  return {
    async find(name) {
      const user = await users.findByName(name);
      if (user) return { kind: "user", user };
      return { kind: "organization", organization: await organizations.getByName(name) };
    },
  };
}
