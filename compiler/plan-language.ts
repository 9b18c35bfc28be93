/** The compiler's expression language, with the event and the run as its contexts. */
import { buildContexts, type RunFacts } from "./expression/values.ts";
import { renderEnv } from "./job-env.ts";
import { evaluateWhen, type Decision } from "./when.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { MatrixValues, PlanClause } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { NeededJob } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Outcome } from "@forgeline/schemas/pipelines/run-activities.ts";

export interface LanguageContext {
  event: PipelineEvent;
  pipeline: RunFacts;
  /** Results of the jobs in `needs`. */
  needs: Record<string, NeededJob>;
  /** Of a combination of a matrix job. */
  matrix: MatrixValues | null;
}

/** An empty condition means after success only. Throws an `Error` when an `if` cannot be evaluated. */
export function judgeWhen(when: readonly PlanClause[], outcome: Outcome, context: LanguageContext): Decision {
  return evaluateWhen(when, { event: context.event, contexts: contextsOf(context), outcome });
}

export function contextsOf({ event, pipeline, needs, matrix }: LanguageContext) {
  return buildContexts({ event, pipeline, needs, matrix });
}

/**
 * Variables of every step of the run, before those of its job: the variables with which the run was started, then the file's
 * own `env`. Throws an `Error` that names the variable which cannot be evaluated.
 */
export function topEnvironment(
  env: Readonly<Record<string, string>>,
  event: PipelineEvent,
  pipeline: RunFacts,
): Record<string, string> {
  return { ...event.variables, ...renderEnv(env, contextsOf({ event, pipeline, needs: {}, matrix: null })) };
}

/** The context `pipeline`. `webUrl` is `https://HOST`. */
export function runFactsOf(
  id: string,
  run: { event: PipelineEvent; number: number; plan: { name: string } },
  webUrl: string,
): RunFacts {
  const { owner, name } = run.event.repository;
  const url = `${webUrl}/${owner}/${name}/pipelines/${run.number}`;
  return { id, number: run.number, name: run.plan.name, url };
}
