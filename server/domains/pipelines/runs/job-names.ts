/** Names of jobs that hold expressions: evaluated once the run has its number. */
import { renderTemplate } from "@forgeline/compiler/template.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { contextsOf, runFactsOf } from "../compile/plan-language.ts";
import type { RunPlan } from "../compile/plan-cache.ts";

/** A name that cannot be evaluated stays as written; its job says why when its turn comes. */
export async function nameJobs(
  tx: Transaction,
  pipelineId: string,
  plan: RunPlan,
  webUrl: string,
): Promise<void> {
  const templates = plan.plan.jobs.filter((job) => job.name.includes("${{"));
  if (templates.length === 0) return;
  const contexts = contextsOf({
    event: plan.event,
    pipeline: runFactsOf(pipelineId, plan, webUrl),
    needs: {},
  });
  const names = templates.map((job) => {
    try {
      return renderTemplate(job.name, contexts);
    } catch {
      return job.name;
    }
  });
  await tx.query(
    `update jobs set name = named.name from unnest($2::text[], $3::text[]) as named (key, name)
     where pipeline_id = $1 and jobs.key = named.key`,
    [pipelineId, templates.map((job) => job.key), names],
  );
}
