/** Names of concurrency groups: what they may be, in the file and once their expressions are evaluated. */
import type { PlanConcurrency } from "@forgeline/schemas/pipeline-file/plan.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import type { Contexts } from "./expression/values.ts";
import { limits } from "./limits.ts";
import { renderTemplate } from "./template.ts";

/** What is wrong with a name without expressions; null if nothing is. */
export function groupProblem(name: string): { code: "P103" | "P308"; message: string } | null {
  if (name.trim() === "") return { code: "P103", message: "the name of a concurrency group is empty" };
  if (name.length > limits.groupChars) {
    const message = `the name of a concurrency group has ${name.length} characters; at most ${limits.groupChars} are allowed`;
    return { code: "P308", message };
  }
  if (/\p{Cc}/u.test(name.trim()) || !name.isWellFormed())
    return { code: "P103", message: "the name of a concurrency group has characters that cannot be shown" };
  return null;
}

/** The name with its expressions evaluated. Throws `ExpressionProblem` with a sentence for people. */
export function renderGroup({ group }: Pick<PlanConcurrency, "group">, contexts: Contexts): string {
  const name = renderTemplate(group, contexts).trim();
  const problem = groupProblem(name);
  if (!problem) return name;
  throw new ExpressionProblem("P204", { start: 0, end: group.length }, { message: problem.message });
}
