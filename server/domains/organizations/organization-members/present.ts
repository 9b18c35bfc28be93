/** Members of organizations as the REST interface shows them. */
import type { OrganizationMember } from "@forgeline/schemas/organization-members/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentUser } from "../../accounts/domain.ts";
import type { Member } from "./service.ts";

export function presentMember({ user, row }: Member, addresses: Addresses): OrganizationMember {
  return { user: presentUser(user, addresses), role: row.role, created_at: row.created_at.toISOString() };
}
