/** Gates of a run that people have opened. */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { hasGates, type GateName } from "../concurrency/gated-jobs.ts";
import { approvedGates } from "./gates.store.ts";

/** In its current sequence; a run without gates costs no statement. */
export async function openGates(tx: Transaction, pipelineId: string, plan: Plan): Promise<GateName[]> {
  return hasGates(plan) ? approvedGates(tx, pipelineId) : [];
}
