/** Outputs of steps (`$CI_OUTPUT`) and of the job. A value that holds the job's token never becomes an output. */
import { parseOutputs } from "@forgeline/compiler/outputs.ts";
import { ExpressionProblem } from "@forgeline/compiler/expression/problem.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { PlanStep } from "@forgeline/schemas/pipeline/plan.ts";
import type { RunningStep } from "../engine/engine.ts";
import { readJobFile } from "../engine/job-file.ts";
import { maskForms } from "../logs/mask-forms.ts";
import type { JobContext } from "./job-context.ts";
import { stepContexts } from "./step-contexts.ts";

type Job = Pick<JobContext, "spec" | "record">;

/** Takes what an ended step wrote into the record; problems become warnings. */
export async function readStepOutputs(job: Job, step: PlanStep, running: RunningStep): Promise<void> {
  const limit = job.spec.limits.outputBytes;
  const bytes = await readJobFile(running.ciOutputFile, limit + 1);
  if (bytes === null || bytes.length === 0) return;
  const { outputs, errors } = parseOutputs(bytes.toString(), limit);
  const where = `Step ${step.position + 1}, $CI_OUTPUT`;
  for (const error of errors) job.record.warnings.push(`${where}: ${error}`);
  if (step.id !== null) job.record.stepOutputs[step.id] = withoutSecrets(job, outputs, where);
}

/** The job's `outputs`, evaluated with all that its steps gave. Problems become warnings. */
export function jobOutputs(job: Job): Record<string, string> {
  const contexts = stepContexts(job);
  const outputs: Record<string, string> = {};
  for (const [name, template] of Object.entries(job.spec.job.outputs))
    try {
      outputs[name] = renderTemplate(template, contexts);
    } catch (error) {
      if (!(error instanceof ExpressionProblem)) throw error;
      job.record.warnings.push(`Output ${name}: ${error.message}`);
    }
  const bytes = Object.values(outputs).reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  if (bytes > job.spec.limits.outputBytes) {
    job.record.warnings.push(`The job's outputs are ${bytes} bytes, which is too much; none was kept.`);
    return {};
  }
  return withoutSecrets(job, outputs, "Outputs");
}

function withoutSecrets(job: Job, outputs: Record<string, string>, where: string): Record<string, string> {
  const forms = maskForms([job.spec.token]);
  const kept = Object.entries(outputs).filter(([name, value]) => {
    const bytes = Buffer.from(value);
    if (!forms.some((form) => bytes.includes(form))) return true;
    job.record.warnings.push(`${where}: the value of ${name} contains a secret and was dropped.`);
    return false;
  });
  return Object.fromEntries(kept);
}
