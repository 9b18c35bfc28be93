/** Which jobs cannot start before people have approved something: their own gate, that of their stage, or one on the way to them. Pure. */
import type { Plan, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";

/** Of a stage, or of a job in it. */
export interface GateName {
  stage: string;
  job: string | null;
  /** Whose protection asked for it; null: the file did. */
  environment: string | null;
}

export function hasGates({ stages, jobs }: Plan): boolean {
  return [...stages, ...jobs].some(({ approval }) => approval) || jobs.some(({ environment }) => environment);
}

/** Keys of the jobs; `approved`: the gates that are open; `guarded`: jobs whose environments people have not opened yet. */
export function gatedJobs(
  plan: Plan,
  { approved, guarded }: { approved: readonly GateName[]; guarded: ReadonlySet<string> },
): ReadonlySet<string> {
  const known = new Map<string, boolean>();
  const isOpen = (gate: { stage: string; job: string | null }) =>
    approved.some(
      ({ stage, job, environment }) => environment === null && stage === gate.stage && job === gate.job,
    );

  function isGated(job: PlanJob): boolean {
    const answer = known.get(job.key) ?? (hasOwnGate(job) || before(plan, job).some(isGated));
    known.set(job.key, answer);
    return answer;
  }

  function hasOwnGate({ key, stage, approval }: PlanJob): boolean {
    if (guarded.has(key) || (approval && !isOpen({ stage, job: key }))) return true;
    const ofStage = plan.stages.find(({ name }) => name === stage)?.approval;
    return ofStage !== undefined && !isOpen({ stage, job: null });
  }

  return new Set(plan.jobs.filter(isGated).map(({ key }) => key));
}

/** Jobs that have to end before this one starts; those that come before these are found through them. */
function before({ stages, jobs }: Plan, { stage, needs }: PlanJob): PlanJob[] {
  if (needs) return jobs.filter(({ key }) => needs.some(({ job }) => job === key));
  const index = stages.findIndex(({ name }) => name === stage);
  const earlier = stages[index]?.needs ?? stages.slice(0, index).map(({ name }) => name);
  return jobs.filter((job) => earlier.includes(job.stage));
}
