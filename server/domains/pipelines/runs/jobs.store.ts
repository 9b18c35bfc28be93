/** Rows of `jobs` beside their statuses: names that follow from the run, and outputs. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { JobsRows } from "./jobs.rows.ts";

export const statements = defineStatements<JobsRows>({
  writeNames: `
    update jobs set name = named.name from unnest($2::text[], $3::text[]) as named (key, name)
    where pipeline_id = $1 and jobs.key = named.key`,
  readSizes: `
    select key, bytes, case when sum(bytes) over () <= $3 then outputs end as outputs
    from (select key, outputs, octet_length(outputs::text) as bytes
          from jobs where pipeline_id = $1 and key = any($2)) as needed`,
  readOutputs: "select key, outputs from jobs where pipeline_id = $1 and key = any($2)",
});

export type Outputs = Record<string, string>;

export async function writeNames(
  tx: Transaction,
  pipelineId: string,
  named: readonly { key: string; name: string }[],
): Promise<void> {
  await tx.query(statements.writeNames, [
    pipelineId,
    named.map(({ key }) => key),
    named.map(({ name }) => name),
  ]);
}

/** With the outputs themselves where all of them together are no more than `maxBytes`; else null. */
export async function readSizes(
  tx: Transaction,
  pipelineId: string,
  { keys, maxBytes }: { keys: readonly string[]; maxBytes: number },
): Promise<{ key: string; bytes: number; outputs: Outputs | null }[]> {
  if (keys.length === 0) return [];
  return tx.query(statements.readSizes, [pipelineId, [...keys], maxBytes]);
}

export async function readOutputs(
  tx: Transaction,
  pipelineId: string,
  keys: readonly string[],
): Promise<{ key: string; outputs: Outputs }[]> {
  return tx.query(statements.readOutputs, [pipelineId, [...keys]]);
}
