/**
 * The environment of steps, in its order: server `CI_*`, top of the file, defaults and job, step. Later wins, but
 * nothing wins over `CI_*`. A value is rendered once: what a branch name or variable put into it is never read as a
 * template again.
 */
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import type { Contexts } from "./expression/values.ts";
import { limits } from "./limits.ts";
import { renderTemplate } from "./template.ts";

export type Env = Readonly<Record<string, string>>;

/** Renders every value. Throws `ExpressionProblem` whose message names the variable. */
export function renderEnv(env: Env, contexts: Contexts): Record<string, string> {
  const rendered: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) rendered[name] = renderNamed(name, value, contexts);
  return rendered;
}

function renderNamed(name: string, value: string, contexts: Contexts): string {
  try {
    return renderTemplate(value, contexts);
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error;
    throw new ExpressionProblem(error.code, error, {
      message: `${name}: ${error.message}`,
      hint: error.hint,
    });
  }
}

export interface StepEnvParts {
  /** `CI_*` and `CI`. */
  ci: Env;
  /** Top of the file, rendered. */
  top: Env;
  /** The job's with the defaults' below it, rendered. */
  job: Env;
  step: Pick<PlanStep, "env">;
  contexts: Contexts;
}

/** What a step finds. Throws `ExpressionProblem`: a value that cannot be evaluated, or more than 64 KiB in all. */
export function stepEnvironment({ ci, top, job, step, contexts }: StepEnvParts): Record<string, string> {
  const own = { ...top, ...job, ...renderEnv(step.env, contexts) };
  for (const name of Object.keys(own)) if (name.startsWith("CI_")) delete own[name];
  const bytes = Object.entries(own).reduce((sum, [name, value]) => sum + name.length + value.length + 2, 0);
  if (bytes > limits.envBytes) {
    const message = `the environment is ${bytes} bytes; at most ${limits.envBytes} are allowed`;
    throw new ExpressionProblem("P306", { start: 0, end: 0 }, { message });
  }
  return { ...ci, ...own };
}
