/** Where a job that is queued has to run, if its stage is placed together: with which labels, and in which placement. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { RunPlan } from "../runs/plan-cache.ts";
import type { RunJob, RunRecord } from "../runs/run-record.ts";
import { anyPlacement, placementLabel } from "./placement-labels.ts";
import { hasRunElsewhere, insertPlacement, lastRunner, lockOpen } from "./placements.store.ts";
import { sharedBefore } from "./shared-before.ts";

export type Placed =
  | { kind: "anywhere" }
  | { kind: "placed"; placementId: string; label: string }
  /** What it would work on is gone. */
  | { kind: "refused"; message: string };

/** The run must be locked. Asked twice, the answer is the same. */
export async function placeJob(
  tx: Transaction,
  { run, plan: { plan } }: { run: RunRecord; plan: Pick<RunPlan, "plan"> },
  { row, job }: { row: RunJob; job: Pick<PlanJob, "key" | "stage" | "workspace"> },
): Promise<Placed> {
  const stage = plan.stages.find(({ name }) => name === job.stage);
  if (stage?.placement !== "together") return { kind: "anywhere" };
  const open = await lockOpen(tx, row.stage_id, run.pipeline.sequence);
  const before = job.workspace === "stage" ? jobIdsBefore(run, sharedBefore(plan, job.key)) : [];
  if (before.length > 0 && (await hasRunElsewhere(tx, before, open?.id ?? null))) {
    const runner = await lastRunner(tx, row.stage_id);
    return { kind: "refused", message: lostMessage(job.stage, runner) };
  }
  if (open) {
    const label = open.runnerId === null ? anyPlacement : placementLabel(open.runnerId);
    return { kind: "placed", placementId: open.id, label };
  }
  const id = newId("plc");
  const shared = plan.jobs.some((other) => other.stage === job.stage && other.workspace === "stage");
  await insertPlacement(tx, { id, stageId: row.stage_id, sequence: run.pipeline.sequence, shared });
  return { kind: "placed", placementId: id, label: anyPlacement };
}

/** Those that were skipped left nothing. */
function jobIdsBefore(run: RunRecord, keys: ReadonlySet<string>): string[] {
  return run.jobs.filter(({ key, status }) => keys.has(key) && status !== "skipped").map(({ id }) => id);
}

function lostMessage(stage: string, runner: string | null): string {
  const where =
    runner === null ? "a runner that was removed" : `the runner ${runner}, which was lost or gave it up`;
  return `The jobs of the stage ${stage} share a workspace. It was on ${where}, with what this job needs. Run the stage again.`;
}
