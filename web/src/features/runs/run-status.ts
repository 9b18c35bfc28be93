/** The jobs of a run, and which of them tells most. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { isUnsuccessful } from "../../ui/statuses.ts";

export type Run = Schemas["Pipeline"];
export type Job = Schemas["RunJob"];
export type Attempt = Schemas["RunAttempt"];

export function jobsOf(run: Run): Job[] {
  return run.stages.flatMap((stage) => stage.jobs);
}

/** What somebody who opens the run most likely wants to see: what failed, else what runs, else the first that has begun. */
export function jobToShowFirst(run: Run): Job | undefined {
  const jobs = jobsOf(run);
  return (
    jobs.find((job) => isUnsuccessful(job.status) && !job.allowed_failure && job.attempts.length > 0) ??
    jobs.find((job) => job.status === "running") ??
    jobs.find((job) => isUnsuccessful(job.status)) ??
    jobs.find((job) => job.attempts.length > 0) ??
    jobs[0]
  );
}
