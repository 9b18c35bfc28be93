/** Whether a shell may be opened in a job. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { neededSecrets } from "../secrets/needed-secrets.ts";
import { withoutShells, type SourceTrust } from "../runs/source-trust.ts";

export interface ShellFacts {
  trust: SourceTrust;
  /** null: the job has no attempt yet, and what it will be given is not known. */
  job: PlanJob | null;
  /** The setting of the environment that it deploys to. */
  allowShell: boolean;
}

/** Why no shell is opened in a job of this kind, as a sentence; null: one may be. */
export function refusalOfJob({ trust, job, allowShell }: ShellFacts): string | null {
  const ofSource = withoutShells(trust);
  if (ofSource !== null) return ofSource;
  if (job === null || allowShell || !usesSecrets(job)) return null;
  return job.environment
    ? `The job uses secrets or identity tokens, and its environment ${job.environment.name} does not allow shells.`
    : "The job uses secrets or identity tokens. Shells in such jobs are only opened where they deploy to an environment that allows it.";
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
