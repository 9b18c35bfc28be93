/** The jobs of a run, and which of them tells most. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { isUnsuccessful } from "../../ui/statuses.ts";

export type Run = Schemas["Pipeline"];
export type Job = Schemas["RunJob"];
export type Attempt = Schemas["RunAttempt"];

export function jobsOf(run: Run): Job[] {
  return run.stages.flatMap((stage) => stage.jobs);
}

/** Its runner has not been heard of for some time. */
export function isSilent({ attempts }: Job): boolean {
  return attempts.at(-1)?.unreachable ?? false;
}

/** What the address of the job says: its key, or its id where combinations of a matrix share the key. */
export function addressOf({ id, key, matrix }: Pick<Job, "id" | "key" | "matrix">): string {
  return matrix === null ? key : id;
}

/** The job of an address; of a key that several have, the one that tells most. */
export function jobAt(jobs: readonly Job[], address: string): Job | undefined {
  return jobs.find(({ id }) => id === address) ?? jobToShowFirst(jobs.filter(({ key }) => key === address));
}

/** What somebody who opens the run most likely wants to see: what failed, else what runs, else the first that has begun. */
export function jobToShowFirst(jobs: readonly Job[]): Job | undefined {
  return (
    jobs.find((job) => isUnsuccessful(job.status) && !job.allowed_failure && job.attempts.length > 0) ??
    jobs.find((job) => job.status === "running") ??
    jobs.find((job) => isUnsuccessful(job.status)) ??
    jobs.find((job) => job.attempts.length > 0) ??
    jobs[0]
  );
}
