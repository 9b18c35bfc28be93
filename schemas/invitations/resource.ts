/** Invitations into organizations, for people who have an account. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { OrganizationRole } from "../organizations/resource.ts";

export const Invitation = z
  .object({
    id: idOf("inv"),
    organization: z.string().describe("Name of the organization."),
    username: z.string().describe("Who is invited."),
    role: OrganizationRole,
    invited_by: z.string().nullable().describe("User name; null if the account was deleted."),
    expires_at: timestamp,
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Invitation" });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationCreate = z
  .strictObject({ username: z.string().min(1).max(201), role: OrganizationRole.default("member") })
  .meta({ id: "InvitationCreate", examples: [{ username: "grace", role: "member" }] });
export type InvitationCreate = z.infer<typeof InvitationCreate>;
