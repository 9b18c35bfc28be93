/** OAuth apps of an organization, and registering another. */
import { AppList } from "../settings/app-list.tsx";
import { appsOfOrganization } from "../settings/apps-of.ts";
import { NewApp } from "../settings/new-app.tsx";
import { useOrganization } from "./use-organization.ts";

export function OrganizationAppsPage() {
  const { org } = useOrganization();
  return <AppList of={appsOfOrganization(org)} />;
}

export function NewOrganizationAppPage() {
  const { org } = useOrganization();
  return <NewApp of={appsOfOrganization(org)} />;
}
