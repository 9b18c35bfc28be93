/** What expressions of a job's steps and outputs can see at this moment. */
import { buildContexts, type Contexts } from "@forgeline/compiler/expression/values.ts";
import type { JobContext } from "./job-context.ts";

export function stepContexts({ spec, record }: Pick<JobContext, "spec" | "record">): Contexts {
  const steps = Object.fromEntries(
    spec.job.steps.flatMap((step) => {
      if (step.id === null) return [];
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
