/** Outputs of steps (`$CI_OUTPUT`) and of the job. A value that holds a secret or the job's token never becomes an output. */
import { lstat } from "node:fs/promises";
import { outputBytes, parseOutputs } from "@forgeline/compiler/outputs.ts";
import type { Contexts } from "@forgeline/compiler/expression/values.ts";
import { ExpressionProblem } from "@forgeline/compiler/expression/problem.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RunningStep } from "../engine/engine.ts";
import { readJobFile } from "../engine/job-file.ts";
import { secretEncodings } from "../logs/secret-encodings.ts";
import type { JobContext } from "./job-context.ts";
import { hiddenValues } from "./job-secrets.ts";
import { stepContexts } from "./step-contexts.ts";
import { warn } from "./warn.ts";

type Job = Pick<JobContext, "spec" | "record">;

/**
 * Takes what an ended step wrote into the record; problems become warnings. All steps together may have what the job may: the
 * record of every job of this runner is in one file, which is written with each step.
 */
export async function readStepOutputs(job: Job, step: PlanStep, running: RunningStep): Promise<void> {
  const limit = job.spec.limits.outputBytes;
  const bytes = await readJobFile(running.ciOutputFile, limit + 1);
  const where = `Step ${step.position + 1}, $CI_OUTPUT`;
  if (bytes === null && !(await isAbsent(running.ciOutputFile)))
    warn(job.record, `${where}: what the step left there is no file that the runner may read, so no output.`);
  if (bytes === null || bytes.length === 0) return;
  const { outputs, errors } = parseOutputs(bytes.toString(), limit);
  for (const error of errors) warn(job.record, `${where}: ${error}`);
  if (step.id === null) return;
  const known = Object.values(job.record.stepOutputs).reduce((sum, kept) => sum + outputBytes(kept), 0);
  const inAll = known + outputBytes(outputs);
  if (inAll > limit)
    warn(
      job.record,
      `${where}: with these the job's outputs come to ${inAll} bytes as JSON; at most ${limit} are kept, and none of this step's was.`,
    );
  else job.record.stepOutputs[step.id] = withoutSecrets(job, outputs, where);
}

async function isAbsent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT",
  );
}

/** The job's `outputs`, evaluated with all that its steps gave. Problems become warnings. */
export function jobOutputs(job: Job): Record<string, string> {
  const contexts = stepContexts(job);
  const outputs: Record<string, string> = {};
  let bytes = 0;
  for (const [name, template] of Object.entries(job.spec.job.outputs)) {
    const value = rendered(job, { name, template }, contexts);
    if (value === null) continue;
    outputs[name] = value;
    bytes += outputBytes({ [name]: value });
    // Before the next is made: many small templates can name the same large value.
    if (bytes > job.spec.limits.outputBytes) {
      warn(
        job.record,
        `The job's outputs are larger than ${job.spec.limits.outputBytes} bytes as JSON; none were kept.`,
      );
      return {};
    }
  }
  return withoutSecrets(job, outputs, "Outputs");
}

/** Null where the template has no text. */
function rendered(
  job: Job,
  { name, template }: { name: string; template: string },
  contexts: Contexts,
): string | null {
  try {
    return renderTemplate(template, contexts);
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error;
    warn(job.record, `Output ${name}: ${error.message}`);
    return null;
  }
}

function withoutSecrets(job: Job, outputs: Record<string, string>, where: string): Record<string, string> {
  const forms = secretEncodings(hiddenValues(job.spec));
  const kept = Object.entries(outputs).filter(([name, value]) => {
    const bytes = Buffer.from(value);
    if (!forms.some((form) => bytes.includes(form))) return true;
    warn(job.record, `${where}: the value of ${name} contains a secret and was dropped.`);
    return false;
  });
  return Object.fromEntries(kept);
}
