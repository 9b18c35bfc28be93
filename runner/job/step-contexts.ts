/** What expressions of a job's steps and outputs can see. */
import { buildContexts, type Contexts } from "@forgeline/compiler/expression/values.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import { shortText } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import type { JobContext } from "./job-context.ts";

/** What people read: with what the expressions in it say. Throws where they say nothing. */
export function stepName(job: Pick<JobContext, "spec" | "record">, step: PlanStep): string {
  return shortText.parse(renderTemplate(step.name, stepContexts(job, step)));
}

/** For a step: what there was before it, whatever has ended meanwhile of those that run at the same time. Else all there is now. */
export function stepContexts(
  { spec, record }: Pick<JobContext, "spec" | "record">,
  before?: PlanStep,
): Contexts {
  const end = before ? (before.parallel ?? before.position) : Infinity;
  const steps = Object.fromEntries(
    spec.job.steps.flatMap((step) => {
      if (step.id === null) return [];
      if (step.position >= end) return [[step.id, { result: "", outputs: {} }]];
      const result = record.steps.find((done) => done.position === step.position)?.status ?? "";
      return [[step.id, { result, outputs: record.stepOutputs[step.id] ?? {} }]];
    }),
  );
  return buildContexts({
    event: spec.event,
    pipeline: {
      id: spec.pipelineId,
      number: spec.pipelineNumber,
      name: spec.pipelineName,
      url: spec.ciEnv["CI_PIPELINE_URL"] ?? "",
    },
    needs: spec.needs,
    matrix: spec.matrix,
    steps,
  });
}
