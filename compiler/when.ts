/** Whether a stage, job or step runs: `when` with the event and the outcome of what came before. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { MatrixValues, PlanClause, PlanOwnClause } from "@forgeline/schemas/pipeline-file/plan.ts";
import { evaluate } from "./expression/evaluate.ts";
import { parseExpression } from "./expression/parse.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import { kindOf, type Contexts } from "./expression/values.ts";
import { matchesGlobs } from "./glob.ts";
import { hasValues } from "./matrix.ts";
import { conditionSource } from "./template.ts";
import { matchesPaths, targetOf } from "./triggers.ts";

/** What came before: needs or stages of a job, earlier steps of a step. */
export type Outcome = "success" | "failure" | "cancelled";
export type Decision = { run: true } | { run: false; reason: string };

export interface WhenFacts {
  event: PipelineEvent;
  contexts: Contexts;
  outcome: Outcome;
}

/**
 * Any clause that matches lets it run; no clause at all means: if nothing failed. The reason is `when:<clause>`, at
 * most 200 characters. Throws `ExpressionProblem` when an `if` cannot be evaluated.
 */
export function evaluateWhen(clauses: readonly PlanClause[], facts: WhenFacts): Decision {
  if (clauses.length === 0) {
    return facts.outcome === "success" ? { run: true } : { run: false, reason: "when:status: success" };
  }
  if (clauses.some((clause) => clauseMatches(clause, facts))) return { run: true };
  const text = clauses.map((clause) => clause.text).join(" | ");
  return { run: false, reason: `when:${text.length > 190 ? `${text.slice(0, 189)}…` : text}` };
}

/** Whether a step with this condition may run, or go on, after the job was stopped. */
export function mayOutliveStop(when: readonly PlanClause[]): boolean {
  return when.some(({ status, also = [] }) =>
    status === undefined ? also.flat().some((one) => one.status === "always") : status === "always",
  );
}

function clauseMatches(clause: PlanClause, facts: WhenFacts): boolean {
  const { outcome } = facts;
  const also = (clause.also ?? []).map((list) => list.filter((one) => keysMatch(one, facts)));
  if (also.some((list) => !list.some(({ status }) => status === undefined || statusMatches(status, outcome))))
    return false;
  // A step of a template that says nothing of the status runs after what the condition beside `uses` says.
  const isAnswered = also.flat().some(({ status }) => status !== undefined && statusMatches(status, outcome));
  const status = clause.status ?? (isAnswered ? "always" : "success");
  return statusMatches(status, outcome) && keysMatch(clause, facts);
}

/** All but its status. */
function keysMatch(clause: PlanOwnClause, { event, contexts }: WhenFacts): boolean {
  if (clause.event && !matchesGlobs(clause.event, event.name)) return false;
  if (clause.branch && !(event.branch !== null && matchesGlobs(clause.branch, event.branch))) return false;
  if (clause.tag && !(event.tag !== null && matchesGlobs(clause.tag, event.tag))) return false;
  const target = targetOf(event);
  if (clause.target && !(target !== null && matchesGlobs(clause.target, target))) return false;
  const labels = event.mergeRequest?.labels ?? [];
  if (clause.label && !labels.some((label) => matchesGlobs(clause.label ?? [], label))) return false;
  if (clause.actor && !matchesGlobs(clause.actor, event.actor)) return false;
  if (clause.matrix && !hasValues(matrixOf(contexts), clause.matrix)) return false;
  if (!matchesPaths(clause.paths ?? null, clause.paths_ignore ?? null, event.changedPaths)) return false;
  return clause.if === undefined || conditionHolds(clause.if, contexts);
}

/** Empty for a job without a matrix. */
function matrixOf({ names }: Contexts): MatrixValues {
  return (names["matrix"] ?? {}) as MatrixValues;
}

function statusMatches(status: "success" | "failure" | "always", outcome: Outcome): boolean {
  return status === "always" || status === outcome;
}

/** Evaluates an `if`; throws `ExpressionProblem` when it gives neither true nor false. */
export function conditionHolds(text: string, contexts: Contexts): boolean {
  const expression = parseExpression(conditionSource(text).source);
  const value = evaluate(expression, contexts);
  if (typeof value === "boolean") return value;
  throw new ExpressionProblem("P204", expression, {
    message: `a condition must be true or false, but is ${kindOf(value)}`,
  });
}
