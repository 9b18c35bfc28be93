/** What a job sees of those that it needs: their results and outputs; of a matrix job, lists of all its combinations. Pure. */
import { isNeeded } from "@forgeline/compiler/matrix.ts";
import type { MatrixValues, PlanJob, PlanNeed } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { NeededJob } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface NeededRow {
  key: string;
  matrix: MatrixValues | null;
  /** False for a matrix job that never learned its combinations. */
  expanded: boolean;
  status: Status;
}

type Outputs = Readonly<Record<string, string>>;

/** Rows in the order of their matrix. */
export function neededRows<Row extends Pick<NeededRow, "key" | "matrix">>(
  need: PlanNeed,
  rows: readonly Row[],
): Row[] {
  return rows.filter((row) => row.key === need.job && isNeeded(need, row.matrix));
}

/** By key. `outputsOf` gives the outputs of one row. */
export function neededJobs<Row extends NeededRow>(
  needs: PlanJob["needs"],
  rows: readonly Row[],
  outputsOf: (row: Row) => Outputs,
): Record<string, NeededJob> {
  return Object.fromEntries(
    (needs ?? []).map((need) => [need.job, neededJob(neededRows(need, rows), outputsOf)]),
  );
}

function neededJob<Row extends NeededRow>(rows: readonly Row[], outputsOf: (row: Row) => Outputs): NeededJob {
  const [first] = rows;
  if (first && first.matrix === null && first.expanded)
    return { result: first.status, outputs: { ...outputsOf(first) } };
  const combinations = rows.filter((row) => row.matrix !== null).map(outputsOf);
  const names = new Set(combinations.flatMap((outputs) => Object.keys(outputs)));
  const lists = [...names].map((name) => [name, combinations.map((outputs) => outputs[name] ?? "")] as const);
  return { result: worstOf(rows.map((row) => row.status)), outputs: Object.fromEntries(lists) };
}

function worstOf(statuses: readonly Status[]): Status {
  const order: readonly Status[] = ["error", "failed", "cancelled", "success"];
  return order.find((status) => statuses.includes(status)) ?? "skipped";
}
