/**
 * Records what a runner reports during execution; each report is one idempotent transaction. The run's row is locked before the
 * attempt's (the lock order of `runs/run-record.ts`). Steps are rows since the attempt was made: a report changes the one that
 * it names, and none can be made up.
 */
import type { StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAttemptStarted } from "./attempt-facts.ts";
import { raiseVersionOfHeld } from "./run-record.store.ts";
import { endStep, startStep } from "./steps.store.ts";
import type { LeaseName } from "../leases/leases.ts";

/** `unknown_step`: the job's plan has no step there. */
export type StepReport = "taken" | "stale" | "unknown_step";

/** False: the lease is stale. */
export async function reportStarted(db: Database, report: LeaseName & { timeMs: number }): Promise<boolean> {
  return db.transaction((tx) => recordAttemptStarted(tx, report));
}

/** A step began. `timeMs` is the runner's time, corrected by its clock's offset. */
export async function reportStepStarted(
  db: Database,
  report: LeaseName & { position: number; name: string; timeMs: number },
): Promise<StepReport> {
  return changeStep(db, report, (tx) => startStep(tx, report));
}

/** A step ended or was skipped. */
export async function reportStepEnded(
  db: Database,
  report: LeaseName & { step: StepResult },
): Promise<StepReport> {
  return changeStep(db, report, (tx) => endStep(tx, report, report.step));
}

async function changeStep(
  db: Database,
  lease: LeaseName,
  change: (tx: Transaction) => Promise<{ isPlanned: boolean } | undefined>,
): Promise<StepReport> {
  return db.transaction(async (tx) => {
    const pipelineId = await raiseVersionOfHeld(tx, lease);
    if (!pipelineId) return "stale";
    const held = await change(tx);
    await tx.notify("run", pipelineId);
    if (!held) return "stale";
    return held.isPlanned ? "taken" : "unknown_step";
  });
}
