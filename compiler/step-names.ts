/** Names of steps as far as they are known before the job runs. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { shortText } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import type { Contexts } from "./expression/values.ts";
import { hasExpression, renderTemplate, splitTemplate } from "./template.ts";

/**
 * One for each step, in their order. What asks for earlier steps, or cannot be evaluated, stays as it is written: the runner says what
 * it is when the step begins, and a step that is skipped keeps it.
 */
export function knownStepNames({ steps }: Pick<PlanJob, "steps">, contexts: Contexts): string[] {
  return steps.map(({ name }) => (hasExpression(name) ? shortText.parse(renderKnown(name, contexts)) : name));
}

function renderKnown(text: string, contexts: Contexts): string {
  try {
    return splitTemplate(text)
      .map((part) => (part.kind === "text" ? part.text : renderPart(`\${{${part.source}}}`, contexts)))
      .join("");
  } catch {
    return text;
  }
}

function renderPart(expression: string, contexts: Contexts): string {
  if (/\bsteps\b/.test(expression)) return expression;
  try {
    return renderTemplate(expression, contexts);
  } catch {
    return expression;
  }
}
