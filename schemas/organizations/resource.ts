/** Organizations as the REST interface shows and takes them (`decisions.md`, "Records"). */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf, ownerName } from "../core/ids.ts";
import { Plan } from "../core/plans.ts";
import { timestamp } from "../core/time.ts";

export const OrganizationRole = z.enum(["owner", "member"]).meta({ id: "OrganizationRole" });
export type OrganizationRole = z.infer<typeof OrganizationRole>;

const shared = {
  id: idOf("org"),
  name: z.string().describe("The name in addresses."),
  display_name: z.string(),
  description: z.string(),
  plan: Plan,
  members_can_create_repositories: z.boolean().describe("Owners always can."),
  shared_concurrency: z
    .boolean()
    .describe("Whether pipelines may use concurrency groups that all repositories share (`scope: org`)."),
  sso_configured: z.boolean().describe("Whether it has a provider for single sign-on, in use or not."),
  url: z.string().describe("Address of this record in the API."),
  web_url: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const Organization = z.object(shared).meta({ id: "Organization" });
export type Organization = z.infer<typeof Organization>;

export const OwnOrganization = z
  .object({ ...shared, role: OrganizationRole.describe("The caller's.") })
  .meta({ id: "OwnOrganization" });
export type OwnOrganization = z.infer<typeof OwnOrganization>;

export const OrganizationCreate = z
  .strictObject({
    name: ownerName.describe("Shares one namespace with user names; case-insensitive."),
    display_name: displayText(100).default(""),
    description: displayText(1000).default(""),
  })
  .meta({ id: "OrganizationCreate", examples: [{ name: "difference", display_name: "Difference Society" }] });
export type OrganizationCreate = z.infer<typeof OrganizationCreate>;

export const OrganizationUpdate = z
  .strictObject({
    display_name: displayText(100).optional(),
    description: displayText(1000).optional(),
    members_can_create_repositories: z
      .boolean()
      .optional()
      .describe("Whether members can, in addition to owners."),
    shared_concurrency: z
      .boolean()
      .optional()
      .describe("Whether pipelines may use concurrency groups that all repositories share (`scope: org`)."),
  })
  .meta({ id: "OrganizationUpdate", examples: [{ description: "Computes tables" }] });
export type OrganizationUpdate = z.infer<typeof OrganizationUpdate>;
