/** Whether a shell may be opened in a job. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { neededSecrets } from "../secrets/needed-secrets.ts";
import { withoutShells, type SourceTrust } from "../runs/source-trust.ts";

export interface JobFacts {
  /** null: the job has no attempt yet, and what it will be given is not known. */
  job: PlanJob | null;
  /** The setting of the environment that it deploys to. */
  allowShell: boolean;
}

export interface ShellFacts extends JobFacts {
  trust: SourceTrust;
  /** The other jobs that work in its workspace; it may be among them. */
  sharers: readonly JobFacts[];
}

/** Why no shell is opened in a job of this kind, as a sentence; null: one may be. */
export function refusalOfJob({ trust, sharers, ...own }: ShellFacts): string | null {
  const ofSource = withoutShells(trust);
  if (ofSource !== null) return ofSource;
  const refused = [own, ...sharers].find(isClosed);
  if (!refused?.job) return null;
  const { key, environment } = refused.job;
  const who = refused === own ? "The job uses" : `The job shares its workspace with ${key}, which uses`;
  return environment
    ? `${who} secrets or identity tokens, and the environment ${environment.name} does not allow shells.`
    : `${who} secrets or identity tokens. Shells in such jobs are only opened where they deploy to an environment that allows it.`;
}

/** Of the jobs of a run, those in the workspace of this one; none where it has its own. */
export function sharersOf<T extends JobFacts>(job: PlanJob | null, all: readonly T[]): T[] {
  if (job?.workspace !== "stage") return [];
  return all.filter((other) => other.job?.workspace === "stage" && other.job.stage === job.stage);
}

function isClosed({ job, allowShell }: JobFacts): boolean {
  return job !== null && !allowShell && usesSecrets(job);
}

function usesSecrets(job: PlanJob): boolean {
  return neededSecrets(job).length > 0 || (job.idTokens ?? []).length > 0;
}

export interface AttemptFacts {
  status: Status;
  isLeased: boolean | null;
  isStarted: boolean | null;
  unreachable: boolean | null;
  isStopping: boolean | null;
}

/** Why there is nothing now to open a shell in; null: there is. */
export function refusalOfMoment(attempt: AttemptFacts): string | null {
  if (!attempt.isLeased || !attempt.isStarted)
    return `A shell needs a running job; this one is ${attempt.status}.`;
  if (attempt.unreachable) return "The runner of the job does not answer now.";
  return attempt.isStopping ? "The job is being stopped." : null;
}

export interface ShellLimits {
  job: number;
  user: number;
  instance: number;
}

/** Why one more is too many; null: it is not. */
export function refusalOfNumber(
  open: Readonly<Record<keyof ShellLimits, number>>,
  most: ShellLimits,
): string | null {
  if (open.job >= most.job)
    return `${most.job} shells are open in this job, which is the limit. Close one to open another.`;
  if (open.user >= most.user)
    return `You have ${most.user} shells open, which is the limit. Close one to open another.`;
  return open.instance >= most.instance
    ? `${most.instance} shells are open on this instance, which is the limit. Try again later.`
    : null;
}
