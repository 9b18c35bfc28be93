/** Which jobs of a stage have worked in the shared workspace before another one begins. Pure. */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";

/** Keys of the jobs with the same workspace that the job needs, directly or through other jobs of the stage. */
export function sharedBefore(plan: Pick<Plan, "jobs">, key: string): Set<string> {
  const jobs = new Map(plan.jobs.map((job) => [job.key, job]));
  const start = jobs.get(key);
  const seen = new Set<string>();
  const next = start?.workspace === "stage" ? [start] : [];
  for (let job = next.pop(); job; job = next.pop()) {
    for (const need of job.needs ?? []) {
      const needed = jobs.get(need.job);
      if (!needed || needed.stage !== start?.stage || seen.has(needed.key)) continue;
      seen.add(needed.key);
      next.push(needed);
    }
  }
  return new Set([...seen].filter((found) => jobs.get(found)?.workspace === "stage"));
}
