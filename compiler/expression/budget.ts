/** The work that one expression may cost; about a millisecond. */
import type { Expression } from "./parse.ts";
import { ExpressionProblem } from "./problem.ts";
import type { Contexts } from "./values.ts";

export interface Evaluation {
  contexts: Contexts;
  /** Work left. */
  steps: number;
  inCoalesce: boolean;
}

/** Counts work; `amount` grows with the length of texts. */
export function spend(evaluation: Evaluation, at: Expression, amount: number): void {
  evaluation.steps -= amount;
  if (evaluation.steps < 0)
    throw new ExpressionProblem("P204", at, { message: "the expression takes too long" });
}
