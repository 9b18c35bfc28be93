/** What a plan tells of variables beside their values: which jobs have them, and in which the file says otherwise. Pure. */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanNode } from "@forgeline/schemas/pipelines/plan.ts";
import type { RunVariable } from "@forgeline/schemas/variables/resource.ts";

export function variablesOfPlan(
  variables: readonly RunVariable[],
  { env, jobs }: Pick<Plan, "env" | "jobs">,
  nodes: readonly PlanNode[],
): RunVariable[] {
  const withSteps = jobs.filter(({ trigger }) => !trigger);
  return variables.map((variable) => {
    const { name, environment } = variable;
    const fileSets = withSteps
      .filter((job) => Object.hasOwn(env, name) || Object.hasOwn(job.env, name))
      .map(({ key }) => key);
    const deploying = nodes.filter((node) => node.node === "job" && node.environment === environment);
    return {
      ...variable,
      ...(environment === undefined ? {} : { jobs: deploying.map((job) => job.name) }),
      ...(fileSets.length === 0 ? {} : { file_sets_in: fileSets }),
    };
  });
}
