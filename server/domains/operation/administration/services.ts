/** What administrators of the instance do, put together for the container. */
import { createAnnouncementService } from "../announcements/service.ts";
import { createOrganizationAdministration } from "../../organizations/organizations/administration.ts";
import { createUserAdministration } from "../../accounts/users/administration.ts";

export function createAdministration(deps: Parameters<typeof createUserAdministration>[0]) {
  return {
    userAdministration: createUserAdministration(deps),
    organizationAdministration: createOrganizationAdministration(deps),
    announcements: createAnnouncementService(deps),
  };
}
