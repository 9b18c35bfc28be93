/** Finds one job of a run by what a person calls it. */
import { UsageError } from "../../connection/settings.ts";
import { jobLabel } from "../../output/job-label.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

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
