/** Jobs that cannot start before people have approved their environment. */
import { renderEnvironmentName } from "@forgeline/compiler/environment-name.ts";
import { contextsOf, runFactsOf } from "@forgeline/compiler/plan-language.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { GateName } from "../concurrency/gated-jobs.ts";
import { findGuarded } from "./environments.store.ts";

interface Run {
  pipelineId: string;
  plan: { plan: Plan; event: PipelineEvent; number: number };
  approved: readonly GateName[];
}

/** Keys; a run without environments costs no statement. */
export async function guardedJobs(
  tx: Transaction,
  repositoryId: string,
  run: Run,
): Promise<ReadonlySet<string>> {
  const deploying = run.plan.plan.jobs.filter(({ environment }) => environment);
  const guarded = deploying.length > 0 ? await findGuarded(tx, repositoryId) : new Set<string>();
  if (guarded.size === 0) return guarded;
  const isOpen = ({ key, stage }: PlanJob, name: string) =>
    run.approved.some(
      (gate) => gate.stage === stage && gate.job === key && gate.environment?.toLowerCase() === name,
    );
  const isGuarded = (job: PlanJob) =>
    environmentsOf(run, job).some((name) => guarded.has(name) && !isOpen(job, name));
  return new Set(deploying.filter(isGuarded).map(({ key }) => key));
}

/** In lower case; of all combinations of a matrix. What cannot be evaluated is told when the job starts. */
function environmentsOf({ pipelineId, plan }: Run, { environment, matrix }: PlanJob): string[] {
  if (!environment) return [];
  const { event } = plan;
  const pipeline = runFactsOf(pipelineId, plan, "");
  const names = (matrix?.combinations ?? [null]).flatMap((values) => {
    try {
      const contexts = contextsOf({ event, pipeline, needs: {}, matrix: values });
      return [renderEnvironmentName(environment, contexts).toLowerCase()];
    } catch {
      return [];
    }
  });
  return [...new Set(names)];
}
