/** Finds one job of a run by what a person calls it. */
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";
import { jobLabel } from "../../output/job-label.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

/** Of the run `path.id`, in the order of its file. Throws `ApiError`. */
export function jobsOfRun({ api }: CliContext, path: { owner: string; repo: string; id: string }) {
  const read = api.GET("/repos/{owner}/{repo}/pipelines/{id}/jobs", { params: { path } });
  return valueOf(read, runNotFoundText(path, path.id));
}

interface Job {
  id: string;
  key: string;
  name: string;
  matrix: Record<string, string> | null;
}

/** By id, key, label or name. Throws `UsageError` that says which jobs there are. */
export function findJob<Found extends Job>(jobs: readonly Found[], wanted: string): Found {
  const found = jobs.filter((job) => [job.id, job.key, jobLabel(job), job.name].includes(wanted));
  const [job] = found;
  if (job && found.length === 1) return job;
  const list = (all: readonly Found[]) => terminalSafe(all.map(jobLabel).join(", "));
  throw new UsageError(
    job
      ? `"${wanted}" is ${found.length} jobs; choose one of them: ${list(found)}`
      : `the run has no job "${wanted}"; its jobs: ${list(jobs)}`,
  );
}
