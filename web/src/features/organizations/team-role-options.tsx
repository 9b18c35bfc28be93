/** Roles in a team, as options of a field. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/organizations.ts";

export function RoleOptions() {
  return Object.entries(text.teamRoles).map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ));
}

export function teamRoleOf(value: string | undefined): Schemas["TeamRole"] {
  return value === "maintainer" ? "maintainer" : "member";
}
