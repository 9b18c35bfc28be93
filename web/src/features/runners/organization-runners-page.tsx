/** The runners that serve the repositories of one organization: a page of its settings, for its owners. */
import { text } from "../../text/runners.ts";
import { useOrganization } from "../organizations/use-organization.ts";
import { RunnerGroups } from "./runner-groups.tsx";
import { RunnerList } from "./runner-list.tsx";
import { OrganizationWaitingJobs } from "./waiting-jobs.tsx";

export function OrganizationRunnersPage() {
  const { org } = useOrganization();
  const below = (
    <>
      <OrganizationWaitingJobs org={org} />
      <RunnerGroups of={{ org }} />
    </>
  );
  return <RunnerList of={{ org }} lead={text.organizationLead} mayRegister below={below} />;
}
