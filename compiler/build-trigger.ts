/** `trigger` of a job: in the plan, and with its expressions evaluated. Pure. */
import type { PlanJob, PlanRetry } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanTrigger } from "@forgeline/schemas/pipeline-file/plan-trigger.ts";
import { planRetry } from "./build-steps.ts";
import { durationMs } from "./duration.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import type { Contexts } from "./expression/values.ts";
import type { JobInFile } from "./file-model.ts";
import { renderTemplate } from "./template.ts";
import { textValues } from "./text-values.ts";

type Planned = Pick<PlanJob, "retry" | "timeoutMs"> & { trigger: PlanTrigger };

/** As long as a run may take by default, since that is what the job waits for. */
const defaultTimeout = "6h";

/** Nothing for a job with steps. It waits no longer than a run may take. What `defaults` say of time limits and retries is meant for those. */
export function planTrigger(
  { trigger, retry, timeout }: JobInFile,
  longestMs: number,
): Planned | Record<never, never> {
  if (trigger === undefined) return {};
  const { pipeline = null, repository = null, ref = null, inputs = {}, wait = true, outputs = [] } = trigger;
  return {
    trigger: { pipeline, repository, ref, inputs: textValues(inputs), wait, outputs },
    retry: anyFailure(retry),
    timeoutMs: Math.min(durationMs(timeout ?? defaultTimeout), longestMs),
  };
}

/** It fails for one reason only: the other pipeline did not succeed. */
function anyFailure(retry: JobInFile["retry"]): PlanRetry {
  return { ...planRetry(retry ?? 0), on: ["any"] };
}

/** Throws `ExpressionProblem` with a sentence for people. */
export function renderTrigger(
  trigger: PlanTrigger | undefined,
  contexts: Contexts,
): { trigger: PlanTrigger } | Record<never, never> {
  if (trigger === undefined) return {};
  const named = (key: "pipeline" | "repository" | "ref") => {
    const written = trigger[key];
    if (written === null) return null;
    const text = renderTemplate(written, contexts).trim();
    if (text !== "" && text.length <= 1000) return text;
    const message = text === "" ? `"${key}" of trigger is empty` : `"${key}" of trigger is too long`;
    throw new ExpressionProblem("P204", { start: 0, end: written.length }, { message });
  };
  const inputs = Object.entries(trigger.inputs).map(([name, text]) => [name, renderTemplate(text, contexts)]);
  return {
    trigger: {
      ...trigger,
      pipeline: named("pipeline"),
      repository: named("repository"),
      ref: named("ref"),
      inputs: Object.fromEntries(inputs) as Record<string, string>,
    },
  };
}

/** What people are told that the job does: `starts pipeline deploy in acme/app`. Expressions stand as they are written. */
export function triggerSentence({ pipeline, repository, ref, wait }: PlanTrigger): string {
  const what =
    pipeline === null
      ? repository === null
        ? "this pipeline again"
        : "the pipeline"
      : `pipeline ${pipeline}`;
  const where = repository === null ? "" : ` in ${repository}`;
  const at = ref === null ? "" : ` at ${ref}`;
  return `starts ${what}${where}${at}${wait ? "" : " without waiting for it"}`;
}
