/** The runs of a repository. */
import { Ellipsis, Play } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { fetchPart } from "../../api/fetch-part.ts";
import { isRefusal } from "../../api/problem.ts";
import { text as badges } from "../../text/badges.ts";
import { text as caches } from "../../text/caches.ts";
import { text as statistics } from "../../text/run-statistics.ts";
import { text as environments } from "../../text/environments.ts";
import { text as concurrency } from "../../text/concurrency.ts";
import { text as coverage } from "../../text/coverage.ts";
import { text as tests } from "../../text/tests.ts";
import { text as logs } from "../../text/log-search.ts";
import { text } from "../../text/pipelines.ts";
import { text as general } from "../../text/general.ts";
import { text as schedules } from "../../text/schedules.ts";
import { text as secrets } from "../../text/secrets.ts";
import { text as variables } from "../../text/variables.ts";
import { Button, ButtonLink, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu } from "../../ui/menu.tsx";
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

const BadgeDialog = lazy(async () => ({
  default: (await fetchPart(() => import("../badges/badge-dialog.tsx"))).BadgeDialog,
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
      actions={<Actions hasRuns={pipelines.data !== undefined && !isEmpty} isEmpty={isEmpty} />}
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

/** `hasRuns`: as far as is known yet. */
function Actions({ hasRuns, isEmpty }: { hasRuns: boolean; isEmpty: boolean }) {
  const repository = useRepository();
  const page = `/${repository.full_name}`;
  return (
    <>
      {hasRuns ? <ButtonLink to={`${page}/pipelines/search`}>{logs.title}</ButtonLink> : null}
      {hasRuns && mayRun(repository) ? (
        <ButtonLink to={`${page}/pipelines/edit`}>{text.edit}</ButtonLink>
      ) : null}
      {mayRun(repository) ? <RunButton isFirst={isEmpty} /> : null}
      <More hasRuns={hasRuns} />
    </>
  );
}

/** What belongs to pipelines and is not needed every day. */
function More({ hasRuns }: { hasRuns: boolean }) {
  const repository = useRepository();
  const [isBadgeOpen, setBadgeOpen] = useState(false);
  const page = `/${repository.full_name}`;
  const link = (to: string, label: string) => ({ kind: "link", to: `${page}/${to}`, label }) as const;
  const forReaders = [
    { kind: "action", label: badges.title, onSelect: () => setBadgeOpen(true) } as const,
    link("environments", environments.title),
    link("pipelines/concurrency", concurrency.title),
    link("caches", caches.title),
    link("pipelines/statistics", statistics.title),
    link("pipelines/tests", tests.title),
    link("pipelines/coverage", coverage.title),
  ];
  const forWriters = [link("settings/variables", variables.title), link("settings/secrets", secrets.title)];
  const forAdmins = [link("settings/schedules", schedules.title)];
  const items = [
    ...(hasRuns ? forReaders : []),
    ...(mayRun(repository) ? forWriters : []),
    ...(repository.permissions === "admin" ? forAdmins : []),
  ];
  return (
    <>
      {items.length === 0 ? null : (
        <Menu
          label={text.more}
          trigger={
            <IconButton label={text.more}>
              <Ellipsis aria-hidden />
            </IconButton>
          }
          items={items}
        />
      )}
      <Suspense>{isBadgeOpen ? <BadgeDialog onClose={() => setBadgeOpen(false)} /> : null}</Suspense>
    </>
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
