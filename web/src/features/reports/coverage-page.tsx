/** The coverage of the runs of the default branch, newest first. */
import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { usePages } from "../../api/use-pages.ts";
import { text as badges } from "../../text/badges.ts";
import { text } from "../../text/coverage.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatCount } from "../../ui/size.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { commitAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./coverage-plot.module.css";

const CoveragePlot = lazy(async () => ({
  default: (await fetchPart(() => import("./coverage-plot.tsx"))).CoveragePlot,
}));

const BadgeDialog = lazy(async () => ({
  default: (await fetchPart(() => import("../badges/badge-dialog.tsx"))).BadgeDialog,
}));

type Run = Schemas["RunCoverage"];

export function CoveragePage() {
  const { full_name: fullName } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["coverage", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/coverage", { params: { path, query } }),
  );
  return (
    <Page title={text.title} within={fullName} lead={text.lead} actions={<Badge />}>
      <p>
        <a href="/docs/pipelines/reports#coverage">{text.docs}</a>
      </p>
      {pages.data && pages.data.length > 1 ? <Trend runs={pages.data} /> : null}
      <PagedTable
        pages={pages}
        caption={text.title}
        columns={columns}
        keyOf={({ pipeline }) => pipeline.id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        dense
      />
    </Page>
  );
}

function Badge() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{badges.badge}</Button>
      <Suspense>{isOpen ? <BadgeDialog first="coverage" onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}

/** Keeps the plot's room while it is fetched. What it shows stands in the table. */
function Trend({ runs }: { runs: readonly Run[] }) {
  return (
    <div className={styles.plot} aria-hidden>
      <Suspense>
        <CoveragePlot runs={runs.toReversed()} />
      </Suspense>
    </div>
  );
}

const columns: Column<Run>[] = [
  { title: text.run, wide: true, cell: (run) => <RunLink run={run} /> },
  { title: text.percent, align: "end", cell: ({ percent }) => `${percent}%` },
  {
    title: text.lines,
    align: "end",
    cell: (run) => text.linesOf(formatCount(run.lines_covered), formatCount(run.lines_total)),
  },
  { title: text.commit, cell: ({ sha }) => <CommitLink sha={sha} /> },
  { title: text.when, cell: ({ at }) => <Time at={at} /> },
];

function RunLink({ run: { pipeline } }: { run: Run }) {
  const { full_name: fullName } = useRepository();
  return <Link to={`/${fullName}/pipelines/${pipeline.number}`}>{`#${pipeline.number}`}</Link>;
}

function CommitLink({ sha }: { sha: string }) {
  const repository = useRepository();
  return (
    <Link to={commitAddress(repository, sha)}>
      <code>{shortName(sha)}</code>
    </Link>
  );
}
