/**
 * Chooses the jobs that a rerun runs again; the others keep their results. Pure. `failed`: what did not succeed, and what did
 * not run because of it. `stage:<name>`: from that stage on. `job:<id>`: this job, and what did not succeed among those that
 * depend on it. Of a matrix, single combinations are chosen, unless its combinations may be others now. With a job that works in the
 * workspace of its stage those are chosen that worked in it before: it begins anew.
 */
import type { Plan, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { sharedBefore } from "../placements/shared-before.ts";
import type { RunJob } from "./run-record.ts";

export function chooseJobs(plan: Plan, rows: readonly RunJob[], from: string): RunJob[] {
  const chosen = withSharedBefore(plan, rows, chooseRows(plan, rows, from));
  const again = new Set(expandedAgain(plan, chosen));
  return again.size === 0 ? chosen : rows.filter((row) => again.has(row.key) || chosen.includes(row));
}

/** Keys of chosen jobs whose matrix depends on another chosen job. */
export function expandedAgain(plan: Plan, chosen: readonly RunJob[]): string[] {
  const keys = new Set(chosen.map((row) => row.key));
  const depends = (job: PlanJob) => (job.needs ?? []).some((need) => keys.has(need.job));
  return plan.jobs
    .filter((job) => keys.has(job.key) && job.matrix?.combinations === null && depends(job))
    .map((job) => job.key);
}

function withSharedBefore(plan: Plan, rows: readonly RunJob[], chosen: readonly RunJob[]): RunJob[] {
  const keys = new Set(chosen.flatMap(({ key }) => [...sharedBefore(plan, key)]));
  return rows.filter((row) => chosen.includes(row) || (keys.has(row.key) && !isRightlySkipped(row)));
}

function chooseRows(plan: Plan, rows: readonly RunJob[], from: string): RunJob[] {
  if (from === "all") return [...rows];
  if (from === "failed") return rows.filter((row) => !succeeded(row));
  const name = from.slice(from.indexOf(":") + 1);
  if (from.startsWith("stage:")) {
    const later = laterStages(plan, name);
    const keys = new Set(plan.jobs.filter((job) => later.has(job.stage)).map((job) => job.key));
    return rows.filter((row) => keys.has(row.key));
  }
  const wanted = new Set(rows.filter((row) => row.id === name || row.key === name));
  const [first] = wanted;
  if (!first) return [];
  const after = dependants(plan, first.key);
  return rows.filter((row) => wanted.has(row) || (after.has(row.key) && !succeeded(row)));
}

function succeeded(row: RunJob): boolean {
  return row.status === "success" || row.allowed || isRightlySkipped(row);
}

/** Its own condition or matrix prevented it from running, which is not a failure. */
function isRightlySkipped({ status, reason }: RunJob): boolean {
  return status === "skipped" && /^(when:|matrix_)/.test(reason ?? "");
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
