/** `priority` of a job: in the plan, and with its expression evaluated. Pure. */
import { highestPriority, lowestPriority } from "@forgeline/schemas/pipeline-file/file-priority.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import type { Contexts } from "./expression/values.ts";
import { quote } from "./suggest.ts";
import { renderTemplate } from "./template.ts";

type Planned = Pick<PlanJob, "priority">;

/** Nothing where the file says nothing: then the event decides. */
export function planPriority(priority: Planned["priority"]): Planned {
  return priority === undefined ? {} : { priority };
}

/**
 * A number, or nothing: an expression that gives null or an empty text asks for none. Throws `ExpressionProblem` with a sentence for
 * people.
 */
export function renderPriority(
  written: Planned["priority"],
  contexts: Contexts,
): { priority: number } | Record<never, never> {
  if (written === undefined || typeof written === "number") return planPriority(written);
  const text = renderTemplate(written, contexts).trim();
  if (text === "") return {};
  const priority = Number(text);
  if (Number.isInteger(priority) && priority >= lowestPriority && priority <= highestPriority)
    return { priority };
  const message = `the priority must be a whole number from ${lowestPriority} to ${highestPriority}, but is ${quote(text)}`;
  throw new ExpressionProblem("P204", { start: 0, end: written.length }, { message });
}
