/** Roles in an organization, as options of a field. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/organizations.ts";

export function RoleOptions() {
  return Object.entries(text.roles).map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ));
}

export function roleOf(value: string | undefined): Schemas["OrganizationRole"] {
  return value === "owner" ? "owner" : "member";
}
