/** What an event would run: evaluates the condition of each node as if everything before it succeeded. Pure. */
import { combinationName, isNeeded } from "./matrix.ts";
import { assumeWhen } from "./assume-when.ts";
import { matchTriggers, type CompiledTriggers } from "./triggers.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { MatrixValues, Plan, PlanJob, PlanStage } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PlanNode } from "@forgeline/schemas/pipelines/plan.ts";
import type { PlanTrigger } from "@forgeline/schemas/pipeline-file/plan-trigger.ts";
import { renderTrigger, triggerSentence } from "./build-trigger.ts";
import { judgeJob } from "./job-conditions.ts";
import { renderEnvironmentName } from "./environment-name.ts";
import { eventAt } from "./environment-variables.ts";
import { contextsOf, judgeWhen, type LanguageContext } from "./plan-language.ts";
import { maxPreviewedSteps, stepNodes } from "./preview-steps.ts";
import { gatesOfStage, noServer, startOf, type ServerFacts } from "./preview-start.ts";
import { skipSentence } from "./skip-reasons.ts";

interface Preview {
  plan: Plan;
  context: Omit<LanguageContext, "matrix">;
  /** Why nothing runs; null if something may. */
  whole: string | null;
  /** The combinations of jobs that would run; null for a job without a matrix, or with one that is not known yet. */
  running: Map<string, (MatrixValues | null)[]>;
  server: ServerFacts;
  /** So many more steps are shown. */
  room: number;
}

export interface PreviewedRun {
  event: PipelineEvent;
  /** Absent: there is no server, so nothing is refused, and no environment holds a job. */
  server?: ServerFacts;
}

export function previewPlan(
  plan: Plan,
  on: CompiledTriggers,
  { event, server = noServer }: PreviewedRun,
): PlanNode[] {
  // A schedule that somebody makes by hand runs the file whatever it lists.
  const triggered = event.name === "schedule" ? ({ run: true } as const) : matchTriggers(on, event);
  return previewNodes(plan, { event, server }, triggered.run ? null : triggered.reason);
}

/** The same, of a run that its event has started. */
export function previewStarted(plan: Plan, { event, server = noServer }: PreviewedRun): PlanNode[] {
  return previewNodes(plan, { event, server }, null);
}

function previewNodes(
  plan: Plan,
  { event, server }: Required<PreviewedRun>,
  whole: string | null,
): PlanNode[] {
  const needs = Object.fromEntries(plan.jobs.map((job) => [job.key, { result: "success", outputs: {} }]));
  const pipeline = { id: "", number: 0, name: plan.name, url: "" };
  const context = { event, pipeline, needs };
  const preview: Preview = { plan, context, whole, running: new Map(), server, room: maxPreviewedSteps };
  const nodes = [node("pipeline", plan.name || plan.file, { stage: null, matrix: null, reason: whole })];
  for (const stage of plan.stages) {
    const verdict = judged(() => {
      const { run, ...not } = judgeWhen(stage.when, "success", { ...preview.context, matrix: null });
      return { runs: run, ...not };
    });
    const shown = node("stage", stage.name, { stage: stage.name, matrix: null, reason: whole ?? verdict });
    nodes.push({
      ...shown,
      ...(shown.runs ? gatesOfStage(stage) : {}),
      ...(stage.placement ? { placement: stage.placement } : {}),
    });
    for (const job of plan.jobs.filter((candidate) => candidate.stage === stage.name))
      nodes.push(...jobNodes(preview, stage, job));
  }
  return nodes;
}

/** Of combinations that outputs of other jobs will say. */
const unknownMatrix: ReadonlySet<string> = new Set(["matrix"]);

/** One for each combination of its matrix, as far as they are known, each with its steps. */
function jobNodes(preview: Preview, stage: PlanStage, job: PlanJob): PlanNode[] {
  const runs: (MatrixValues | null)[] = [];
  preview.running.set(job.key, runs);
  const need = job.needs?.find((one) => {
    const others = preview.running.get(one.job) ?? [null];
    return !one.optional && !others.some((values) => isNeeded(one, values));
  });
  const blocked = need ? ({ reason: "need_skipped", by: need.job } as const) : null;
  const start = { outcome: "success", stageOutcome: "success", blocked } as const;
  return (job.matrix?.combinations ?? [null]).flatMap((matrix) => {
    const base = { ...preview.context, matrix };
    const environment = environmentOf(job, base);
    const context = { ...base, event: eventAt(base.event, environment) };
    const when = matrix === null && job.matrix ? assumeWhen(job.when, unknownMatrix, true) : job.when;
    const reason = judged(() => judgeJob({ stage, job: { ...job, when }, start, context }));
    if (reason === null) runs.push(matrix);
    const name = combinationName(job.key, matrix);
    const made = node("job", name, { stage: stage.name, matrix, reason: preview.whole ?? reason });
    const asked = made.runs ? startOf(job, { context, environment, server: preview.server }) : {};
    const starts = job.trigger ? { starts: startsInWords(job.trigger, context) } : {};
    const { permissions } = job;
    const shown = {
      ...made,
      ...asked,
      ...(environment === null ? {} : { environment }),
      ...starts,
      ...(permissions ? { permissions } : {}),
    };
    const steps = shown.runs ? stepNodes(job, shown, { context, room: preview.room }) : [];
    preview.room -= steps.length;
    return [shown, ...steps];
  });
}

/** null for a job that deploys nowhere, or to a place that is not known yet. */
function environmentOf({ environment }: PlanJob, context: LanguageContext): string | null {
  if (!environment) return null;
  try {
    return renderEnvironmentName(environment, contextsOf(context));
  } catch {
    return null;
  }
}

/** As it is written where its expressions cannot be evaluated yet. */
function startsInWords(trigger: PlanTrigger, context: LanguageContext): string {
  try {
    return triggerSentence({ ...trigger, ...renderTrigger(trigger, contextsOf(context)) });
  } catch {
    return triggerSentence(trigger);
  }
}

/** Names, each once. */
export function environmentsOf(nodes: readonly PlanNode[]): string[] {
  return [...new Set(nodes.flatMap(({ environment }) => environment ?? []))];
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
  { stage, matrix, reason }: Pick<PlanNode, "stage" | "matrix" | "reason">,
): PlanNode {
  const message = reason === null ? null : skipSentence(reason);
  return { node: kind, name, stage, matrix, runs: reason === null, reason, message };
}
