/** Names and addresses of environments: what they may be, in the file and once their expressions are evaluated. */
import type { PlanEnvironment } from "@forgeline/schemas/pipeline-file/plan-environment.ts";
import { environmentNamePattern, maxEnvironmentUrlChars } from "@forgeline/schemas/environments/names.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import type { Contexts } from "./expression/values.ts";
import { quote } from "./suggest.ts";
import { renderTemplate } from "./template.ts";

/** What is wrong with a name without expressions; null if nothing is. */
export function environmentProblem(name: string): string | null {
  if (environmentNamePattern.test(name)) return null;
  return `${quote(name)} cannot be the name of an environment: it takes up to 100 letters, digits, dots, hyphens and underscores, beginning with a letter or digit`;
}

/** The same for the address. */
export function environmentUrlProblem(url: string): string | null {
  const parsed = URL.parse(url);
  const isAddress = parsed !== null && (parsed.protocol === "https:" || parsed.protocol === "http:");
  if (isAddress && parsed.username === "" && parsed.password === "" && url.length <= maxEnvironmentUrlChars)
    return null;
  return `the "url" of an environment must begin with http:// or https://, hold no password and have at most ${maxEnvironmentUrlChars} characters`;
}

/** The name alone: it is asked before anything that the job needs is known. Throws `ExpressionProblem` with a sentence. */
export function renderEnvironmentName({ name }: Pick<PlanEnvironment, "name">, contexts: Contexts): string {
  const rendered = renderTemplate(name, contexts).trim();
  const problem = environmentProblem(rendered);
  if (problem === null) return rendered;
  throw new ExpressionProblem("P204", { start: 0, end: name.length }, { message: problem });
}

/** Both. Nothing for a job without an environment. Throws `ExpressionProblem` with a sentence for people. */
export function renderEnvironment(
  environment: PlanEnvironment | undefined,
  contexts: Contexts,
): { environment: PlanEnvironment } | Record<never, never> {
  if (!environment) return {};
  const name = renderEnvironmentName(environment, contexts);
  if (environment.url === null) return { environment: { name, url: null } };
  const url = renderTemplate(environment.url, contexts).trim();
  const problem = environmentUrlProblem(url);
  if (problem === null) return { environment: { name, url } };
  throw new ExpressionProblem("P204", { start: 0, end: environment.url.length }, { message: problem });
}
