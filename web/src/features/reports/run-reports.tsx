/** What jobs of a run report. Nothing where there is nothing. */
import { lazy, Suspense } from "react";
import { api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { usePages } from "../../api/use-pages.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

/** While reports are being read, which takes a second or two. */
const refetchMs = 1_000;

/** Most runs have none. */
const ShownReports = lazy(async () => ({
  default: (await fetchPart(() => import("./shown-reports.tsx"))).ShownReports,
}));

export interface ReportingRun {
  id: string;
  sha: string;
  /** Changes whenever a job of the run has ended. */
  version: string;
}

export function RunReports({ run }: { run: ReportingRun }) {
  const path = { ...useRepositoryPath(), id: run.id };
  const { data: reports } = usePages(
    ["job-reports", run.id, run.version],
    (query) => api.GET("/repos/{owner}/{repo}/pipelines/{id}/reports", { params: { path, query } }),
    (shown) => (shown.some(({ state }) => state === "waiting") ? refetchMs : false),
  );
  if (!reports || reports.length === 0) return null;
  return (
    <Suspense>
      <ShownReports run={run} reports={reports} />
    </Suspense>
  );
}
