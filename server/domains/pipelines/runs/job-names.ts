/** Names of jobs with expressions: evaluated once the run has its number. */
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { contextsOf, runFactsOf } from "../compile/plan-language.ts";
import { writeNames } from "./jobs.store.ts";
import type { RunPlan } from "./plan-cache.ts";

/** A name that cannot be evaluated stays as written; its job later shows the reason. */
export async function nameJobs(
  tx: Transaction,
  pipelineId: string,
  { plan, webUrl }: { plan: RunPlan; webUrl: string },
): Promise<void> {
  const templates = plan.plan.jobs.filter((job) => job.name.includes("${{"));
  if (templates.length === 0) return;
  const contexts = contextsOf({
    event: plan.event,
    pipeline: runFactsOf(pipelineId, plan, webUrl),
    needs: {},
  });
  const named = templates.map(({ key, name }) => {
    try {
      return { key, name: renderTemplate(name, contexts) };
    } catch {
      return { key, name };
    }
  });
  await writeNames(tx, pipelineId, named);
}
