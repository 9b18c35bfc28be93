/** Caches of a job: from the file to its plan. Their keys stay templates: only the runner has the files that they may hash. */
import type { FileCache } from "@forgeline/schemas/pipeline-file/file-caches.ts";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";

/** Nothing where there are none, as in plans of earlier runs. */
export function planCaches(written: readonly FileCache[] | undefined): Pick<PlanJob, "cache"> {
  return written && written.length > 0 ? { cache: written.map(planCache) } : {};
}

function planCache({ key, restore, paths, policy, scope }: FileCache): PlanCache {
  return {
    key,
    restore: [...(restore ?? [])],
    paths: [paths].flat(),
    policy: policy ?? "pull-push",
    scope: scope ?? "branch",
  };
}
