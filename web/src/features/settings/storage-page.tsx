/** One's own plan and storage. */
import { $api, api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text as settings } from "../../text/settings.ts";
import { text } from "../../text/storage.ts";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OwnLimitsSection } from "../storage/limits-section.tsx";
import { UsageSection, PlanSection, RepositoriesSection } from "../storage/owned-storage.tsx";

export function OwnStoragePage() {
  const storage = $api.useQuery("get", "/user/storage");
  const limits = $api.useQuery("get", "/rate_limit");
  const repositories = usePages(["own-storage"], (query) =>
    api.GET("/user/storage/repositories", { params: { query } }),
  );
  const data = storage.data && limits.data && { storage: storage.data, limits: limits.data };
  return (
    <Page title={text.title} within={settings.menu} lead={text.ownLead}>
      <QueryView query={{ data, error: storage.error ?? limits.error }}>
        {(found) => (
          <>
            <PlanSection {...found.storage} />
            <UsageSection storage={found.storage} />
            <RepositoriesSection pages={repositories} />
            <OwnLimitsSection limitStatus={found.limits.resources} />
          </>
        )}
      </QueryView>
    </Page>
  );
}
