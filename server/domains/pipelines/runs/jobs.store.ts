/** Rows of `jobs` beside their statuses: names that follow from the run, outputs, and the combinations of matrices. */
import type { MatrixValues } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { storableJson } from "../../../platform/storable-text.ts";
import type { JobsRows } from "./jobs.rows.ts";

export const statements = defineStatements<JobsRows>({
  writeNames: `
    update jobs set name = named.name from unnest($2::text[], $3::text[]) as named (id, name)
    where pipeline_id = $1 and jobs.id = named.id`,
  readSizes: `
    select id, bytes, case when sum(bytes) over () <= $3 then outputs end as outputs
    from (select id, outputs, octet_length(outputs::text) as bytes
          from jobs where pipeline_id = $1 and id = any($2)) as needed`,
  readOutputs: "select id, outputs from jobs where pipeline_id = $1 and id = any($2)",
  changeCombinations: `
    update jobs set name = given.name, matrix = given.matrix, combination = given.combination, expanded = true
    from json_to_recordset($2::json) as given(id text, name text, matrix json, combination int)
    where jobs.pipeline_id = $1 and jobs.id = given.id`,
  addCombinations: `
    insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name, matrix, combination, debug)
    select given.id, l.pipeline_id, l.stage_id, l.repository_id, l.position, l.key, given.name, given.matrix,
      given.combination, l.debug
    from jobs l, json_to_recordset($3::json) as given(id text, name text, matrix json, combination int)
    where l.pipeline_id = $1 and l.id = $2`,
});

export type Outputs = Record<string, string>;

export async function writeNames(
  tx: Transaction,
  pipelineId: string,
  named: readonly { id: string; name: string }[],
): Promise<void> {
  await tx.query(statements.writeNames, [
    pipelineId,
    named.map(({ id }) => id),
    named.map(({ name }) => name),
  ]);
}

/** With the outputs themselves where all of them together are no more than `maxBytes`; else null. */
export async function readSizes(
  tx: Transaction,
  pipelineId: string,
  { ids, maxBytes }: { ids: readonly string[]; maxBytes: number },
): Promise<{ id: string; bytes: number; outputs: Outputs | null }[]> {
  if (ids.length === 0) return [];
  return tx.query(statements.readSizes, [pipelineId, [...ids], maxBytes]);
}

export async function readOutputs(
  tx: Transaction,
  pipelineId: string,
  ids: readonly string[],
): Promise<{ id: string; outputs: Outputs }[]> {
  return tx.query(statements.readOutputs, [pipelineId, [...ids]]);
}

export interface CombinationRow {
  id: string;
  name: string;
  /** null for one that is not in the matrix any more and never had values. */
  matrix: MatrixValues | null;
  combination: number;
}

/** Known rows get their place and values. */
export async function changeCombinations(
  tx: Transaction,
  pipelineId: string,
  rows: readonly CombinationRow[],
): Promise<void> {
  if (rows.length > 0) await tx.query(statements.changeCombinations, [pipelineId, storableJson(rows)]);
}

/** New rows are as those of a new run, and like the job `likeId` of the same run in everything else. */
export async function addCombinations(
  tx: Transaction,
  pipelineId: string,
  { likeId, rows }: { likeId: string; rows: readonly CombinationRow[] },
): Promise<void> {
  if (rows.length > 0) await tx.query(statements.addCombinations, [pipelineId, likeId, storableJson(rows)]);
}
