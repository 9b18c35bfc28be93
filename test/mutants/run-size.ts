/** Mistakes in how long the answer about a run may be. */
import type { Mutant } from "./mutant.ts";

const file = "server/domains/pipelines/runs/runs.store.ts";
const tests = ["test/integration/api/pipelines/run-size.test.ts"];

export const runSize: readonly Mutant[] = [
  {
    name: "run-size-long-outputs-are-read-to-be-left-out",
    promise: "PostgreSQL does not read long outputs for an answer about a run.",
    file,
    find: "pg_column_size(j.outputs) <= ${maxOutputBytes}",
    replace: "true",
    tests,
    only: "outputs that are long",
  },
  {
    name: "run-size-outputs-count-as-compressed",
    promise: "Outputs count by their length, however well they can be compressed.",
    file,
    find: "octet_length(j.outputs::text) <= ${maxOutputBytes}",
    replace: "true",
    tests,
    only: "outputs that are long",
  },
  {
    name: "run-size-a-job-alone-has-no-long-outputs",
    promise: "The answer about one job has all its outputs.",
    file,
    find: "case when $2::text is not null or pg_column_size",
    replace: "case when pg_column_size",
    tests,
    only: "outputs that are long",
  },
  {
    name: "run-size-every-warning",
    promise: "Of many warnings of an attempt a run's answer has the first five.",
    file,
    find: "case when $2::text is null then a.warnings[:${maxWarnings}] else a.warnings end",
    replace: "a.warnings",
    tests,
    only: "of many warnings",
  },
  {
    name: "run-size-attempts-of-all-jobs",
    promise: "The answer about one job has the attempts of that job alone.",
    file,
    find: "where j.pipeline_id = p.id and ($2::text is null or j.id = $2)) j)",
    replace: "where ($2::text is null and j.pipeline_id = p.id or j.id = $2)) j)",
    tests,
    only: "of many warnings",
  },
  {
    name: "run-size-values-of-variables",
    promise: "A run shows the names of its variables, not their values.",
    file,
    find: "array(select jsonb_object_keys(p.variables)) as variables",
    replace: "array(select value from jsonb_each_text(p.variables)) as variables",
    tests,
    only: "values of variables",
  },
];
