/** The concurrency groups that the repositories of an organization share: a page for its owners. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/concurrency.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedView } from "../../ui/paged-view.tsx";
import { useOrganization } from "../organizations/use-organization.ts";
import { GroupSection } from "./group-section.tsx";

export function OrganizationConcurrencyPage() {
  const { org } = useOrganization();
  const pages = usePages(["concurrency", "organization", org], (query) =>
    api.GET("/orgs/{org}/concurrency", { params: { path: { org }, query } }),
  );
  return (
    <Page title={text.title} within={org} lead={text.organizationLead}>
      <p>
        <a href="/docs/pipelines/concurrency#groups-of-an-organization">{text.docs}</a>
      </p>
      <PagedView pages={pages} empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}>
        {(groups) =>
          groups.map((group) => (
            <GroupSection
              key={group.group}
              group={group}
              releasing={({ id }) =>
                () =>
                  api.DELETE("/orgs/{org}/concurrency/{id}", { params: { path: { org, id } } })
                }
            />
          ))
        }
      </PagedView>
    </Page>
  );
}
