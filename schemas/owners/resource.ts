/** Whose a name is: users and organizations share one space of names. */
import { z } from "zod";
import { Organization } from "../organizations/resource.ts";
import { User } from "../users/resource.ts";

export const Owner = z
  .object({
    name: z.string().describe("As it was created; lookups are case-insensitive."),
    type: z.enum(["user", "organization"]).describe("A bot is a user here."),
    user: User.nullable().describe("null for an organization."),
    organization: Organization.nullable().describe("null for a user."),
  })
  .meta({ id: "Owner" });
export type Owner = z.infer<typeof Owner>;
