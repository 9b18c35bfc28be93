/**
 * Approvals and environments of a local run: nobody is there to approve, and no server protects what is deployed to, so the developer
 * says in advance whether such jobs run. Pure.
 */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import type { Plan, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";

export interface Held {
  reason: string;
  message: string;
}

/** Why the job runs only where the developer says so; null: it just runs. An approval is its own, or its stage's. */
export function heldHere({ stages }: Plan, { approval, stage, environment }: PlanJob): Held | null {
  if (approval !== undefined || stages.some(({ name, approval: ofStage }) => name === stage && ofStage))
    return { reason: "approval", message: "It needs approval; use --approve to run it here." };
  return environment
    ? { reason: "environment", message: "It deploys to an environment; use --approve to run it here." }
    : null;
}

/** Their names, with each combination of a matrix. */
export function gatedJobs(plan: Plan): string[] {
  return plan.jobs
    .filter((job) => heldHere(plan, job) !== null)
    .flatMap(({ key, matrix }) =>
      (matrix?.combinations ?? [null]).map((values) => combinationName(key, values)),
    );
}
