/** Which artifacts one of a job's `needs` asks for. Pure. */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import type { NeededArtifact, NeededList } from "@forgeline/schemas/artifacts/job-messages.ts";
import type { PlanNeed } from "@forgeline/schemas/pipeline-file/plan.ts";
import type * as store from "./artifact.store.ts";

/** An artifact of a job, or a job without any. */
type NeededRow = Pick<store.NeededRow, "key" | "matrix" | "id" | "name" | "size_bytes" | "files" | "parts">;

/** Of one need. A name that no combination of a matrix has is missing once. */
export function chosenArtifacts(need: PlanNeed, rows: readonly NeededRow[]): NeededList {
  const wanted = need.artifacts;
  const artifacts = rows.flatMap(asNeeded).filter(({ name }) => wanted === true || wanted?.includes(name));
  const there = new Set(artifacts.map(({ name }) => name));
  const names = Array.isArray(wanted) ? wanted : [];
  const missing = names
    .filter((name) => !there.has(name))
    .map((name) => ({ job: need.job, name, optional: need.optional }));
  return { artifacts, missing };
}

function asNeeded(row: NeededRow): NeededArtifact[] {
  const { id, name, size_bytes, files, parts } = row;
  if (id === null || name === null || size_bytes === null || files === null || parts === null) return [];
  return [{ id, job: combinationName(row.key, row.matrix), name, size_bytes, files, parts }];
}
