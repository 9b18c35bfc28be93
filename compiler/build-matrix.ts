/** The matrix of a job in the file: its names and source, and its combinations where these are known already. */
import type { z } from "zod";
import type { FileJob } from "@forgeline/schemas/pipeline-file/file-job.ts";
import type { MatrixValues, PlanMatrix, PlanMatrixSource } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { FileMatrix } from "@forgeline/schemas/pipeline-file/file-matrix.ts";
import { ExpressionProblem } from "./expression/problem.ts";
import { expandMatrix } from "./expand-matrix.ts";
import type { HeldLimit } from "./held-limits.ts";
import { MatrixProblem } from "./matrix.ts";
import { hasExpression } from "./template.ts";
import { textValues } from "./text-values.ts";

export interface ModelMatrix {
  /** null where an expression gives them. */
  names: string[] | null;
  source: PlanMatrixSource;
  /** null where they depend on expressions, and where there is a problem. */
  combinations: MatrixValues[] | null;
  problem: MatrixProblem | null;
}

/** `limit`: of combinations. */
export function modelMatrix(written: FileMatrix, limit: HeldLimit): ModelMatrix {
  const source = sourceOf(written);
  const names = namesOf(source);
  if (hasExpression(JSON.stringify(source))) return { names, source, combinations: null, problem: null };
  try {
    const combinations = expandMatrix(source, { names: {}, changedPaths: null }, limit);
    return { names, source, combinations, problem: null };
  } catch (error) {
    if (error instanceof MatrixProblem) return { names, source, combinations: null, problem: error };
    if (error instanceof ExpressionProblem)
      return { names, source, combinations: null, problem: new MatrixProblem(error.message) };
    throw error;
  }
}

function sourceOf(written: FileMatrix): PlanMatrixSource {
  if (typeof written === "string") return written;
  const { include, exclude, ...values } = written;
  return {
    values: Object.entries(values).map(([name, list]) => ({
      name,
      list: typeof list === "string" ? list : list.map(String),
    })),
    include: combinationsOf(include),
    exclude: combinationsOf(exclude),
  };
}

function combinationsOf(
  written: Exclude<FileMatrix, string>["include"],
): Exclude<PlanMatrixSource, string>["include"] {
  if (typeof written === "string") return written;
  return (written ?? []).map(textValues);
}

function namesOf(source: PlanMatrixSource): string[] | null {
  if (typeof source === "string" || typeof source.include === "string") return null;
  return [...new Set([...source.values.map(({ name }) => name), ...source.include.flatMap(Object.keys)])];
}

/** null for a job without a matrix. */
export function planMatrix(matrix: ModelMatrix | null, job: z.infer<typeof FileJob>): PlanMatrix | null {
  if (matrix === null) return null;
  return {
    combinations: matrix.combinations,
    source: matrix.combinations === null ? matrix.source : null,
    maxParallel: job.max_parallel ?? null,
    failFast: job.fail_fast ?? false,
  };
}
