/** The concurrency groups that runs of a repository use now. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/concurrency.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedView } from "../../ui/paged-view.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { GroupSection } from "./group-section.tsx";

export function ConcurrencyPage() {
  const { full_name: fullName, permissions } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["concurrency", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/concurrency", { params: { path, query } }),
  );
  const maintains = permissions === "maintain" || permissions === "admin";
  return (
    <Page title={text.title} within={fullName} lead={text.lead}>
      <p>
        <a href="/docs/pipelines/concurrency">{text.docs}</a>
      </p>
      <PagedView pages={pages} empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}>
        {(groups) =>
          groups.map((group) => (
            <GroupSection
              key={`${group.scope} ${group.group}`}
              group={group}
              releasing={({ id, repository }) =>
                maintains && repository === fullName
                  ? () =>
                      api.DELETE("/repos/{owner}/{repo}/concurrency/{id}", {
                        params: { path: { ...path, id } },
                      })
                  : null
              }
            />
          ))
        }
      </PagedView>
    </Page>
  );
}
