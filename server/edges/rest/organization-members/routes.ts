/** Binds the operations on members of organizations. */
import {
  getOrganizationMember,
  listOrganizationMembers,
  removeOrganizationMember,
  setOrganizationMember,
} from "@forgeline/schemas/organization-members/routes.ts";
import type { OrganizationMember } from "@forgeline/schemas/organization-members/resource.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentUser } from "../../../domains/accounts/domain.ts";
import type { Member, MemberService } from "../../../domains/organizations/domain.ts";

export function registerMemberRoutes(
  app: RouteBinder,
  deps: { members: MemberService; addresses: Addresses },
): void {
  const { members, addresses } = deps;
  app.bindOrganization(listOrganizationMembers, async ({ organization, query }) => {
    const { members: listed, total } = await members.list(organization, query);
    return { body: listed.map((member) => present(member, addresses)), total };
  });
  app.bindOrganization(getOrganizationMember, async ({ organization, params }) => ({
    body: present(await members.get(organization, params.username), addresses),
  }));
  app.bindOrganization(setOrganizationMember, async ({ actor, organization, params, body }) => {
    const wanted = { username: params.username, role: body.role };
    return { body: present(await members.set(actor, organization, wanted), addresses) };
  });
  app.bindOrganization(removeOrganizationMember, ({ actor, organization, role, params }) =>
    members.remove(actor, { organization, role }, params.username),
  );
}

function present({ user, row }: Member, addresses: Addresses): OrganizationMember {
  return { user: presentUser(user, addresses), role: row.role, created_at: row.created_at.toISOString() };
}
