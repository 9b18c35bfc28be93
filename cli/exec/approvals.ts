/** Approvals of a local run: nobody is there to give them, so the developer says in advance whether such jobs run. Pure. */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import type { Plan, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";

/** Its own approval, or its stage's. */
export function needsApproval({ stages }: Plan, { approval, stage }: PlanJob): boolean {
  return approval !== undefined || stages.some(({ name, approval: ofStage }) => name === stage && ofStage);
}

export const notApproved = {
  reason: "approval",
  message: "It needs approval; use --approve to run it here.",
};

/** Their names, with each combination of a matrix. */
export function gatedJobs(plan: Plan): string[] {
  return plan.jobs
    .filter((job) => needsApproval(plan, job))
    .flatMap(({ key, matrix }) =>
      (matrix?.combinations ?? [null]).map((values) => combinationName(key, values)),
    );
}
