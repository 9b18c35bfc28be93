/** What ended jobs of a run left: reports, artifacts, and what they did with caches. Nothing where there is nothing. */
import { RunArtifacts } from "../artifacts/run-artifacts.tsx";
import { RunCaches } from "../caches/run-caches.tsx";
import { RunReports } from "../reports/run-reports.tsx";
import type { Run } from "./run-status.ts";

/** `version` changes with each attempt that ends. */
export function RunLeft({ run, version }: { run: Run; version: string }) {
  return (
    <>
      <RunReports run={{ id: run.id, sha: run.sha, version }} />
      <RunArtifacts runId={run.id} version={version} />
      <RunCaches runId={run.id} version={version} />
    </>
  );
}
