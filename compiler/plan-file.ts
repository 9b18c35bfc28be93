/** What a run of a file would be, without a server: the answer has the shape of the server's. Pure. */
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanResult } from "@forgeline/schemas/pipelines/resource.ts";
import { compile } from "./compile.ts";
import { readInputs, type GivenInputs } from "./given-inputs.ts";
import { previewPlan } from "./plan-preview.ts";

export interface PlanFileInput {
  file: string;
  text: string;
  event: PipelineEvent;
  inputs: GivenInputs;
}

/** `errors`: inputs that the file does not take. */
export function planFile({ file, text, event, inputs: given }: PlanFileInput): {
  result: PlanResult;
  errors: FieldError[];
} {
  const { plan, on, diagnostics } = compile({ file, text, event });
  const variables = Object.entries(event.variables).map(([name, value]) => ({
    name,
    value,
    level: "run" as const,
  }));
  const shown = { variables, diagnostics };
  if (!plan || !on)
    return { result: { valid: false, nodes: [], inputs: [], missing_inputs: [], ...shown }, errors: [] };
  const { inputs } = plan;
  const { values, missing, errors } = readInputs(inputs, given, event.name);
  const nodes = previewPlan(plan, on, { ...event, inputs: values });
  return { result: { valid: true, nodes, inputs, missing_inputs: missing, ...shown }, errors };
}
