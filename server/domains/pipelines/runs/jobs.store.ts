/** Rows of `jobs` beside their statuses: names that follow from the run, and outputs. */
import type { Transaction } from "../../../platform/db/database.ts";

export type Outputs = Record<string, string>;

export async function writeNames(
  tx: Transaction,
  pipelineId: string,
  named: readonly { key: string; name: string }[],
): Promise<void> {
  await tx.query(
    `update jobs set name = named.name from unnest($2::text[], $3::text[]) as named (key, name)
     where pipeline_id = $1 and jobs.key = named.key`,
    [pipelineId, named.map(({ key }) => key), named.map(({ name }) => name)],
  );
}

/** With the outputs themselves where all of them together are no more than `maxBytes`; else null. */
export async function readSizes(
  tx: Transaction,
  pipelineId: string,
  { keys, maxBytes }: { keys: readonly string[]; maxBytes: number },
): Promise<{ key: string; bytes: number; outputs: Outputs | null }[]> {
  if (keys.length === 0) return [];
  return tx.query(
    `select key, bytes, case when sum(bytes) over () <= $3 then outputs end as outputs
     from (select key, outputs, octet_length(outputs::text) as bytes
           from jobs where pipeline_id = $1 and key = any($2)) as needed`,
    [pipelineId, [...keys], maxBytes],
  );
}

export async function readOutputs(
  tx: Transaction,
  pipelineId: string,
  keys: readonly string[],
): Promise<{ key: string; outputs: Outputs }[]> {
  return tx.query("select key, outputs from jobs where pipeline_id = $1 and key = any($2)", [
    pipelineId,
    [...keys],
  ]);
}
