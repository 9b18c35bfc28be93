/** Binds the operations on members of organizations. */
import {
  getOrganizationMember,
  listOrganizationMembers,
  removeOrganizationMember,
  setOrganizationMember,
} from "@forgeline/schemas/organization-members/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentMember, type MemberService } from "../../../domains/organizations/domain.ts";

export function registerMemberRoutes(
  app: RouteBinder,
  deps: { members: MemberService; addresses: Addresses },
): void {
  const { members, addresses } = deps;
  app.bindOrganization(listOrganizationMembers, async ({ organization, query }) => {
    const { members: listed, total } = await members.list(organization, query);
    return { body: listed.map((member) => presentMember(member, addresses)), total };
  });
  app.bindOrganization(getOrganizationMember, async ({ organization, params }) => ({
    body: presentMember(await members.get(organization, params.username), addresses),
  }));
  app.bindOrganization(setOrganizationMember, async ({ actor, organization, params, body }) => {
    const wanted = { username: params.username, role: body.role };
    return { body: presentMember(await members.set(actor, organization, wanted), addresses) };
  });
  app.bindOrganization(removeOrganizationMember, ({ actor, organization, role, params }) =>
    members.remove(actor, { organization, role }, params.username),
  );
}
