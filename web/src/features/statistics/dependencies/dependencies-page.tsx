/** What a repository depends on, as a graph and as a table. */
import { text } from "../../../text/dependencies.ts";
import { text as statistics } from "../../../text/statistics.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useRepository } from "../../repositories/use-repository.ts";
import { StatisticsTabs } from "../statistics-tabs.tsx";
import { StatisticsLead, Computed } from "../statistics-state.tsx";
import { FileLink } from "./side-panel.tsx";
import { Explorer } from "./explorer.tsx";
import type { Manifest } from "./packages.ts";
import { useDependencies } from "./use-dependencies.ts";
import { useFilters } from "./use-filters.ts";

export function DependenciesPage() {
  const { full_name: fullName } = useRepository();
  const filtering = useFilters();
  const known = useDependencies(filtering.filters.all);
  const { head, error } = known;
  return (
    <Page title={text.title} within={fullName} heading={statistics.title}>
      <StatisticsTabs />
      <StatisticsLead head={head}>{text.lead}</StatisticsLead>
      <QueryView query={{ data: head, error: head ? null : error }} lines={10}>
        {(found) => (
          <Computed head={found}>
            <Unreadable manifests={found.manifests} />
            <QueryView query={{ data: known.data, error }} lines={10}>
              {(graph) =>
                graph.packages.length > 0 ? (
                  <Explorer graph={graph} {...filtering} isFetchingRest={known.isFetchingRest} />
                ) : (
                  <NoDependencies manifests={graph.manifests} />
                )
              }
            </QueryView>
          </Computed>
        )}
      </QueryView>
    </Page>
  );
}

function NoDependencies({ manifests }: { manifests: readonly Manifest[] }) {
  return manifests.length === 0 ? (
    <EmptyState title={text.noManifestsTitle}>{text.noManifests}</EmptyState>
  ) : (
    <EmptyState title={text.noneTitle}>{text.none}</EmptyState>
  );
}

function Unreadable({ manifests }: { manifests: readonly Manifest[] }) {
  const broken = manifests.filter(({ problem }) => problem !== null);
  if (broken.length === 0) return null;
  return (
    <Notice tone="warn" title={text.unreadableTitle(broken.length)}>
      <ul>
        {broken.map(({ path, problem }) => (
          <li key={path}>
            <FileLink path={path} inline />: {problem}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
