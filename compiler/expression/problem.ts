/** What is wrong with an expression, and where in its text. Thrown while reading, checking and evaluating. */
import type { Code } from "../codes.ts";

export class ExpressionProblem extends Error {
  readonly code: Code;
  /** Offsets in the expression's text. */
  readonly start: number;
  readonly end: number;
  readonly hint: string | null;

  constructor(
    code: Code,
    at: { start: number; end: number },
    { message, hint = null }: { message: string; hint?: string | null },
  ) {
    super(message);
    this.name = "ExpressionProblem";
    this.code = code;
    this.start = at.start;
    this.end = at.end;
    this.hint = hint;
  }
}
