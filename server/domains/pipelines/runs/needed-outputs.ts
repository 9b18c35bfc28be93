/**
 * Outputs of jobs that others need, read a few jobs at a time: a run has room for half a gigabyte of them. One job is given no
 * more than fits into a lease.
 */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { readOutputs, readSizes, type Outputs } from "./jobs.store.ts";
import { neededRows } from "./needed-jobs.ts";
import type { RunRecord } from "./run-record.ts";

export interface NeededOutputs {
  /**
   * Outputs of each job that `job` needs, by id, and possibly of others; a message for people if they are too large together.
   */
  of(job: PlanJob): Promise<ReadonlyMap<string, Outputs> | string>;
}

const mib = 1024 * 1024;
/** As JSON, of all jobs that one job needs. */
const maxOfOne = 4 * mib;
/** Limit of what is kept in memory for the next jobs. */
const maxKept = 32 * mib;

/** Reads what all of `jobs` need at once, unless that is too large. */
export async function neededOutputs(
  tx: Transaction,
  run: Pick<RunRecord, "jobs"> & { pipeline: Pick<RunRecord["pipeline"], "id"> },
  jobs: readonly PlanJob[],
): Promise<NeededOutputs> {
  const pipelineId = run.pipeline.id;
  const idsOf = (job: PlanJob) =>
    (job.needs ?? []).flatMap((need) => neededRows(need, run.jobs).map((row) => row.id));
  // All combinations of a matrix need the same.
  const byKey = new Map(jobs.map((job) => [job.key, job]));
  const idsByKey = new Map([...byKey].map(([key, job]) => [key, idsOf(job)]));
  const ids = [...new Set([...idsByKey.values()].flat())];
  const rows = await readSizes(tx, pipelineId, { ids, maxBytes: maxKept });
  const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]));
  const kept = new Map(rows.flatMap(({ id, outputs }) => (outputs === null ? [] : [[id, outputs] as const])));
  return {
    async of(job) {
      const needed = (idsByKey.get(job.key) ?? idsOf(job)).filter((id) => sizes.has(id));
      const bytes = sumOf(needed, sizes);
      if (bytes > maxOfOne) return tooMuch(bytes);
      const missing = needed.filter((id) => !kept.has(id));
      if (missing.length === 0) return kept;
      if (sumOf([...kept.keys(), ...missing], sizes) > maxKept) kept.clear();
      const wanted = needed.filter((id) => !kept.has(id));
      for (const { id, outputs } of await readOutputs(tx, pipelineId, wanted)) kept.set(id, outputs);
      return kept;
    },
  };
}

function sumOf(ids: readonly string[], sizes: ReadonlyMap<string, number>): number {
  return ids.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
}

function tooMuch(bytes: number): string {
  const size = (bytes / mib).toFixed(1);
  return `The outputs of the jobs it needs add up to ${size} MiB; one job can receive at most ${maxOfOne / mib} MiB.`;
}
