/**
 * Chooses the jobs that a rerun runs again; the others keep their results. Pure. `failed`: what did not succeed, and what did
 * not run because of it. `stage:<name>`: from that stage on. `job:<id>`: this job, and what did not succeed among those that
 * depend on it.
 */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RunJob } from "./run-record.ts";

export function chooseJobs(plan: Plan, rows: readonly RunJob[], from: string): Set<string> {
  if (from === "all") return new Set(rows.map((row) => row.key));
  const status = new Map(rows.map((row) => [row.key, row]));
  const succeeded = (key: string) => {
    const row = status.get(key);
    return row?.status === "success" || row?.allowed === true || isSkippedByCondition(row);
  };
  if (from === "failed") return new Set(rows.map((row) => row.key).filter((key) => !succeeded(key)));
  const name = from.slice(from.indexOf(":") + 1);
  if (from.startsWith("stage:")) {
    const later = laterStages(plan, name);
    return new Set(plan.jobs.filter((job) => later.has(job.stage)).map((job) => job.key));
  }
  const chosen = rows.find((row) => row.id === name || row.key === name);
  if (!chosen) return new Set();
  const after = dependants(plan, chosen.key);
  return new Set([chosen.key, ...[...after].filter((key) => !succeeded(key))]);
}

/** Its own condition prevented it from running, which is not a failure. */
function isSkippedByCondition(row: RunJob | undefined): boolean {
  return row?.status === "skipped" && (row.reason?.startsWith("when:") ?? false);
}

/** The stage and all that come after it by the order of stages. */
function laterStages(plan: Plan, name: string): Set<string> {
  const later = new Set(plan.stages.some((stage) => stage.name === name) ? [name] : []);
  plan.stages.forEach((stage, index) => {
    const before = stage.needs ?? plan.stages.slice(Math.max(index - 1, 0), index).map((other) => other.name);
    if (before.some((other) => later.has(other))) later.add(stage.name);
  });
  return later;
}

function dependants(plan: Plan, key: string): Set<string> {
  const found = new Set<string>([key]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const job of plan.jobs) if (dependsOnAny(plan, job, found)) found.add(job.key);
  }
  found.delete(key);
  return found;
}

function dependsOnAny(plan: Plan, job: Plan["jobs"][number], keys: ReadonlySet<string>): boolean {
  if (job.needs) return job.needs.some((need) => keys.has(need.job));
  return plan.jobs.some(
    (other) =>
      keys.has(other.key) && other.stage !== job.stage && laterStages(plan, other.stage).has(job.stage),
  );
}
