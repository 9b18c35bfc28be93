/** Members of organizations. Bots are not members; they take no seat. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { timestamp } from "../core/time.ts";
import { OrganizationRole } from "../organizations/resource.ts";
import { User } from "../users/resource.ts";

export const OrganizationMember = z
  .object({ user: User, role: OrganizationRole, created_at: timestamp.describe("Since when.") })
  .meta({ id: "OrganizationMember" });
export type OrganizationMember = z.infer<typeof OrganizationMember>;

export const MemberQuery = z.strictObject({
  ...PageQuery.shape,
  role: OrganizationRole.optional().describe("Only those."),
});
export type MemberQuery = z.infer<typeof MemberQuery>;

export const OrganizationMemberSet = z
  .strictObject({ role: OrganizationRole.default("member") })
  .meta({ id: "OrganizationMemberSet", examples: [{ role: "owner" }] });
