/** The organization that the address names, and what the signed-in person is in it. */
import { useOutletContext } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";

export interface SeenOrganization {
  organization: Schemas["Organization"];
  /** Null for somebody who is not a member. */
  role: Schemas["OrganizationRole"] | null;
}

/** Its layout has fetched it before any page in it is drawn. */
export function useOrganization(): SeenOrganization & { org: string } {
  const seen = useOutletContext<SeenOrganization>();
  return { ...seen, org: seen.organization.name };
}
