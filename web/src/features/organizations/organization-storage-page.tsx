/** Plan and storage of an organization, for its owners. */
import { $api, api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/storage.ts";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OrganizationLimitsSection } from "../storage/limits-section.tsx";
import { UsageSection, PlanSection, RepositoriesSection } from "../storage/owned-storage.tsx";
import { useOrganization } from "./use-organization.ts";

export function OrganizationStoragePage() {
  const { org } = useOrganization();
  const params = { path: { org } };
  const storage = $api.useQuery("get", "/orgs/{org}/storage", { params });
  const limits = $api.useQuery("get", "/orgs/{org}/limits", { params });
  const repositories = usePages(["storage", org], (query) =>
    api.GET("/orgs/{org}/storage/repositories", { params: { ...params, query } }),
  );
  const data = storage.data && limits.data && { storage: storage.data, limits: limits.data.limits };
  return (
    <Page title={text.title} within={org} lead={text.organizationLead}>
      <QueryView query={{ data, error: storage.error ?? limits.error }}>
        {(found) => (
          <>
            <PlanSection {...found.storage} />
            <UsageSection storage={found.storage} />
            <RepositoriesSection pages={repositories} />
            <OrganizationLimitsSection limits={found.limits} />
          </>
        )}
      </QueryView>
    </Page>
  );
}
