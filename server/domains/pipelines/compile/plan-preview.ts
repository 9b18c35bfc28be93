/** What an event would run: evaluates the condition of each node as if everything before it succeeded. Pure. */
import { matchTriggers, type CompiledTriggers } from "@forgeline/compiler/triggers.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanNode } from "@forgeline/schemas/pipelines/resource.ts";
import { judgeJob } from "../runs/job-conditions.ts";
import { judgeWhen, type LanguageContext } from "./plan-language.ts";
import { reasonSentence } from "../runs/reasons.ts";

export function previewPlan(plan: Plan, on: CompiledTriggers, event: PipelineEvent): PlanNode[] {
  const triggered = matchTriggers(on, event);
  const whole = triggered.run ? null : triggered.reason;
  const needs = Object.fromEntries(plan.jobs.map((job) => [job.key, { result: "success", outputs: {} }]));
  const context: LanguageContext = {
    event,
    pipeline: { id: "", number: 0, name: plan.name, url: "" },
    needs,
  };
  const skipped = new Set<string>();
  const nodes = [node("pipeline", plan.name || plan.file, { stage: null, reason: whole })];
  for (const stage of plan.stages) {
    const verdict = judged(() => {
      const { run, ...not } = judgeWhen(stage.when, "success", context);
      return { runs: run, ...not };
    });
    nodes.push(node("stage", stage.name, { stage: stage.name, reason: whole ?? verdict }));
    for (const job of plan.jobs.filter((candidate) => candidate.stage === stage.name)) {
      const need = job.needs?.find(({ job: key, optional }) => skipped.has(key) && !optional);
      const blocked = need ? ({ reason: "need_skipped", by: need.job } as const) : null;
      const start = { outcome: "success", stageOutcome: "success", blocked } as const;
      const answer = judged(() => judgeJob({ stage, job, start, context }));
      if (answer !== null) skipped.add(job.key);
      nodes.push(node("job", job.key, { stage: stage.name, reason: whole ?? answer }));
    }
  }
  return nodes;
}

/**
 * The reason why it is skipped, or null if it runs. Outputs and missing inputs are not known here: nodes that depend on them are
 * assumed to run.
 */
function judged(judge: () => { runs: boolean; reason?: string }): string | null {
  try {
    const { runs, reason = "when" } = judge();
    return runs ? null : reason;
  } catch {
    return null;
  }
}

function node(
  kind: PlanNode["node"],
  name: string,
  { stage, reason }: { stage: string | null; reason: string | null },
): PlanNode {
  const message = reason?.startsWith("on:")
    ? "The file does not run for this event."
    : reasonSentence(reason);
  return { node: kind, name, stage, runs: reason === null, reason, message };
}
