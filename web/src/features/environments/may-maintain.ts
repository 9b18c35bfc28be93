/** What this person may do with environments; the server applies the same rules. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export function mayMaintain({ permissions }: Pick<Schemas["Repository"], "permissions">): boolean {
  return permissions === "maintain" || permissions === "admin";
}
