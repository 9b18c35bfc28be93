/** `environment` of jobs: names and addresses that can be judged before their expressions are known. */
import { environmentProblem, environmentUrlProblem } from "./environment-name.ts";
import type { FileModel } from "./file-model.ts";
import type { Report } from "./report.ts";
import { hasExpression } from "./template.ts";
import { spanOfValue, type MapNode } from "./tree.ts";

export function checkEnvironments(model: FileModel, tree: MapNode, report: Report): void {
  for (const { job, path } of model.jobs) {
    if (job.environment === undefined) continue;
    const isShort = typeof job.environment === "string";
    const { name, url } =
      typeof job.environment === "string" ? { name: job.environment, url: undefined } : job.environment;
    const place = [...path, "environment"];
    const problem = hasExpression(name) ? null : environmentProblem(name.trim());
    if (problem !== null)
      report.add("P103", spanOfValue(tree, isShort ? place : [...place, "name"]), {
        message: problem,
        ...(name.includes("/") ? { hint: 'write "-" instead of "/"' } : {}),
      });
    const wrong = url === undefined || hasExpression(url) ? null : environmentUrlProblem(url.trim());
    if (wrong !== null) report.add("P103", spanOfValue(tree, [...place, "url"]), { message: wrong });
  }
}
