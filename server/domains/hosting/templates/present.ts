/** What a repository can begin with as the REST interface shows it. */
import type { License } from "@forgeline/schemas/templates/resource.ts";
import type { LicenseInfo } from "./licenses.ts";

export function presentLicense({ id, name, osiApproved, referenceUrl }: LicenseInfo): License {
  return { id, name, osi_approved: osiApproved, reference_url: referenceUrl };
}
