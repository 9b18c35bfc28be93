/** What a run of a file would be, without a server: the answer has the shape of the server's. Pure. */
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanResult } from "@forgeline/schemas/pipelines/plan.ts";
import type { RunTemplate } from "@forgeline/schemas/pipelines/template.ts";
import { compile } from "./compile.ts";
import type { TemplateFiles } from "./templates/library.ts";
import { readReference } from "./templates/reference.ts";
import { readInputs, type GivenInputs } from "./given-inputs.ts";
import { previewPlan } from "./plan-preview.ts";
import { variablesOfPlan } from "./plan-variables.ts";

export interface PlanFileInput {
  file: string;
  text: string;
  event: PipelineEvent;
  inputs: GivenInputs;
  /** What has been read of the templates that it uses. */
  templates?: TemplateFiles;
}

/** `errors`: inputs that the file does not take. */
export function planFile({ file, text, event, inputs: given, templates: read }: PlanFileInput): {
  result: PlanResult;
  errors: FieldError[];
} {
  const compiled = compile({ file, text, event, ...(read ? { templates: read } : {}) });
  const { plan, on, diagnostics } = compiled;
  const variables = Object.entries(event.variables).map(([name, value]) => ({
    name,
    value,
    level: "run" as const,
  }));
  const shown = {
    event: event.name,
    variables,
    templates: compiled.templates.map(templateOf),
    changed_files: event.changedPaths?.length ?? null,
    diagnostics,
  };
  if (!plan || !on)
    return { result: { valid: false, nodes: [], inputs: [], missing_inputs: [], ...shown }, errors: [] };
  const { inputs } = plan;
  const { values, missing, errors } = readInputs(inputs, given, event.name);
  const nodes = previewPlan(plan, on, { event: { ...event, inputs: values } });
  const told = { ...shown, variables: variablesOfPlan(variables, plan, nodes) };
  return { result: { valid: true, nodes, inputs, missing_inputs: missing, ...told }, errors };
}

/** Which commit a ref names is known to a server alone. */
function templateOf(key: string): RunTemplate {
  const parsed = readReference(key, null);
  const { source = null, path = key } = "reference" in parsed ? parsed.reference : {};
  return { uses: key, repository: source?.repository ?? null, path, ref: source?.ref ?? null, sha: null };
}
