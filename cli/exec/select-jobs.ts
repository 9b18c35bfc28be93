/** Chooses which jobs of a run are executed, by what somebody named and by what that depends on. */
import { isNeeded } from "@forgeline/compiler/matrix.ts";
import type { Plan, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { ExecProblem } from "./exec-problem.ts";
import { labelOf, type LocalJob, type LocalRun } from "./local-run.ts";

export interface Selection {
  /** Keys, or names of combinations; empty: all jobs. */
  names: readonly string[];
  /** Also what they depend on; otherwise that counts as a success without outputs. */
  withNeeds: boolean;
}

/** Leaves in the run what is chosen and what it depends on. Throws `ExecProblem` for a name that means no job. */
export function selectJobs(run: LocalRun, { names, withNeeds }: Selection): void {
  if (names.length === 0) return;
  const chosen = new Set(names.flatMap((name) => jobsNamed(run, name)));
  const depended = new Set(chosen);
  // Grows while it is walked.
  for (const job of depended) for (const other of dependencies(run, job)) depended.add(other);
  run.jobs = run.jobs.filter((job) => depended.has(job));
  if (withNeeds) return;
  for (const job of run.jobs) {
    if (chosen.has(job)) continue;
    job.kept = true;
    // A matrix that would have to be learned first has no combinations then.
    Object.assign(job, { status: "success", expanded: true });
  }
}

function jobsNamed({ jobs }: LocalRun, name: string): LocalJob[] {
  const found = jobs.filter((job) => job.key === name || labelOf(job) === name);
  if (found.length > 0) return found;
  const known = [...new Set(jobs.map(({ key }) => key))].join(", ");
  throw new ExecProblem(`--job: no job is named ${name}. Jobs here: ${known}.`);
}

function dependencies(run: LocalRun, { key }: LocalJob): LocalJob[] {
  const job = run.plan.jobs.find((candidate) => candidate.key === key);
  if (!job) return [];
  const stages = stagesBefore(run.plan, job);
  const { needs } = job;
  if (needs === null) return run.jobs.filter((other) => stages.has(other.stage));
  return run.jobs.filter((other) =>
    needs.some((need) => need.job === other.key && isNeeded(need, other.matrix)),
  );
}

/** Those that the order of stages puts before it. */
function stagesBefore({ stages }: Plan, { stage }: PlanJob): ReadonlySet<string> {
  const before = new Set<string>();
  const visit = (name: string) => {
    const index = stages.findIndex((candidate) => candidate.name === name);
    const previous = stages[index - 1];
    for (const other of stages[index]?.needs ?? (previous ? [previous.name] : [])) {
      if (before.has(other)) continue;
      before.add(other);
      visit(other);
    }
  };
  visit(stage);
  return before;
}
