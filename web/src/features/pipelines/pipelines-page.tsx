/** The runs of a repository. */
import { Link, useSearchParams } from "react-router";
import { isNotFound } from "../../api/problem.ts";
import { text } from "../../text/pipelines.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { ClearFilters, FilterBar } from "./filter-bar.tsx";
import { FirstRun } from "./first-run.tsx";
import { filtersOf } from "./pipeline-filters.ts";
import { RunList } from "./run-list.tsx";
import { runsPerPage, usePipelines } from "./use-pipelines.ts";

export function PipelinesPage() {
  const repository = useRepository();
  const [query] = useSearchParams();
  const page = usePageNumber();
  const filters = filtersOf(query);
  const isFiltered = Object.keys(filters).length > 0;
  const pipelines = usePipelines(filters, page);
  // The repository is there, so it is its runs that are hidden.
  if (isNotFound(pipelines.error)) return <Hidden />;
  const isEmpty = pipelines.data?.total === 0 && !isFiltered;
  return (
    <Page title={text.title} within={repository.full_name}>
      {isEmpty ? null : <FilterBar />}
      <QueryView query={pipelines} lines={8}>
        {({ runs, total }) => {
          if (runs.length > 0)
            return (
              <>
                <RunList runs={runs} />
                <Pager total={total} perPage={runsPerPage} label={text.pipelinePages} />
              </>
            );
          if (total > 0)
            return <EmptyState title={text.pastEnd} action={<Link to="?">{text.toFirstPage}</Link>} />;
          if (!isFiltered) return <FirstRun />;
          return (
            <EmptyState title={text.noneFits} action={<ClearFilters />}>
              {text.noneFitsHint}
            </EmptyState>
          );
        }}
      </QueryView>
    </Page>
  );
}

function Hidden() {
  return (
    <Page title={text.title} within={useRepository().full_name}>
      <EmptyState title={text.hiddenTitle}>{text.hidden}</EmptyState>
    </Page>
  );
}
