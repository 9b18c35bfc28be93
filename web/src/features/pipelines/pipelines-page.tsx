/** The runs of a repository. */
import { Play } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { fetchPart } from "../../api/fetch-part.ts";
import { isRefusal } from "../../api/problem.ts";
import { text } from "../../text/pipelines.ts";
import { text as general } from "../../text/general.ts";
import { text as schedules } from "../../text/schedules.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { ClearFilters, FilterBar } from "./filter-bar.tsx";
import { FirstRun } from "./first-run.tsx";
import { mayRun } from "./may-run.ts";
import { filtersOf } from "./pipeline-filters.ts";
import { RunList } from "./run-list.tsx";
import { runsPerPage, usePipelines } from "./use-pipelines.ts";

const RunDialog = lazy(async () => ({
  default: (await fetchPart(() => import("./run-dialog.tsx"))).RunDialog,
}));

export function PipelinesPage() {
  const repository = useRepository();
  const [query] = useSearchParams();
  const page = usePageNumber();
  const filters = filtersOf(query);
  const isFiltered = Object.keys(filters).length > 0;
  const pipelines = usePipelines(filters, page);
  // The repository is there, so it is its runs that are hidden.
  if (isRefusal(pipelines.error)) return <Hidden />;
  const isEmpty = pipelines.data?.total === 0 && !isFiltered;
  return (
    <Page
      title={text.title}
      within={repository.full_name}
      actions={
        mayRun(repository) ? (
          <>
            {pipelines.data === undefined || isEmpty ? null : (
              <ButtonLink to={`/${repository.full_name}/pipelines/edit`}>{text.edit}</ButtonLink>
            )}
            {isEmpty ? null : (
              <ButtonLink to={`/${repository.full_name}/pipelines/concurrency`}>
                {text.concurrency}
              </ButtonLink>
            )}
            {repository.permissions === "admin" ? (
              <ButtonLink to={`/${repository.full_name}/settings/schedules`}>{schedules.title}</ButtonLink>
            ) : null}
            <RunButton isFirst={isEmpty} />
          </>
        ) : null
      }
    >
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
            return <EmptyState title={text.pastEnd} action={<Link to="?">{general.firstPage}</Link>} />;
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

/** Where there is no run yet, writing a pipeline comes first. */
function RunButton({ isFirst }: { isFirst: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={isFirst ? "normal" : "primary"} icon={<Play aria-hidden />} onClick={() => setOpen(true)}>
        {text.run}
      </Button>
      <Suspense>{isOpen ? <RunDialog onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}

function Hidden() {
  return (
    <Page title={text.title} within={useRepository().full_name}>
      <EmptyState title={text.hiddenTitle}>{text.hidden}</EmptyState>
    </Page>
  );
}
