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

const isCalled = (job: Job, wanted: string) => [job.id, job.key, jobLabel(job), job.name].includes(wanted);

const listOf = (jobs: readonly Job[]) => terminalSafe(jobs.map(jobLabel).join(", "));

/** Where the name of several is as good. Throws `UsageError` if no job is called so. */
export function requireJob(jobs: readonly Job[], wanted: string): void {
  if (!isJobOf(jobs, wanted)) throw noJob(jobs, wanted);
}

/** By id, key, label or name. */
export function isJobOf(jobs: readonly Job[], wanted: string): boolean {
  return jobs.some((job) => isCalled(job, wanted));
}

/** What people are told then. */
export function noJobText(jobs: readonly Job[], wanted: string): string {
  return `the run has no job "${wanted}"; its jobs: ${listOf(jobs)}`;
}

function noJob(jobs: readonly Job[], wanted: string): UsageError {
  return new UsageError(noJobText(jobs, wanted));
}

/** By id, key, label or name. Throws `UsageError` that says which jobs there are. */
export function findJob<Found extends Job>(jobs: readonly Found[], wanted: string): Found {
  const found = jobs.filter((job) => isCalled(job, wanted));
  const [job] = found;
  if (!job) throw noJob(jobs, wanted);
  if (found.length === 1) return job;
  throw new UsageError(`"${wanted}" is ${found.length} jobs; choose one of them: ${listOf(found)}`);
}
