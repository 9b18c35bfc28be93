/**
 * Outputs of jobs that others need, read a few jobs at a time: a run has room for half a gigabyte of them. One job is given no
 * more than fits into a lease.
 */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { readOutputs, readSizes, type Outputs } from "./jobs.store.ts";

export interface NeededOutputs {
  /**
   * Outputs of each job that `job` needs, by key, and possibly of others; a message for people if they are too large together.
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
  pipelineId: string,
  jobs: readonly PlanJob[],
): Promise<NeededOutputs> {
  const rows = await readSizes(tx, pipelineId, {
    keys: [...new Set(jobs.flatMap(keysOf))],
    maxBytes: maxKept,
  });
  const sizes = new Map(rows.map(({ key, bytes }) => [key, bytes]));
  const kept = new Map(
    rows.flatMap(({ key, outputs }) => (outputs === null ? [] : [[key, outputs] as const])),
  );
  return {
    async of(job) {
      const keys = keysOf(job).filter((key) => sizes.has(key));
      const bytes = sumOf(keys, sizes);
      if (bytes > maxOfOne) return tooMuch(bytes);
      const missing = keys.filter((key) => !kept.has(key));
      if (missing.length === 0) return kept;
      if (sumOf([...kept.keys(), ...missing], sizes) > maxKept) kept.clear();
      const wanted = keys.filter((key) => !kept.has(key));
      for (const { key, outputs } of await readOutputs(tx, pipelineId, wanted)) kept.set(key, outputs);
      return kept;
    },
  };
}

function keysOf(job: PlanJob): string[] {
  return (job.needs ?? []).map((need) => need.job);
}

function sumOf(keys: readonly string[], sizes: ReadonlyMap<string, number>): number {
  return keys.reduce((sum, key) => sum + (sizes.get(key) ?? 0), 0);
}

function tooMuch(bytes: number): string {
  const size = (bytes / mib).toFixed(1);
  return `The outputs of the jobs it needs add up to ${size} MiB; one job can receive at most ${maxOfOne / mib} MiB.`;
}
