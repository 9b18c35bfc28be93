/** What a job that is about to deploy finds: its environment, whether the run may deploy there, and which gate it asks for. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { findOfRun } from "./environments.store.ts";
import { refusalOf, ruleOf } from "./protection.ts";

export interface Arrival {
  /** As the environment is written, whatever the case in the file; that of the file where there is none yet. */
  name: string;
  /** A sentence for people; null: the run may deploy. */
  refusal: string | null;
  /** null: nothing holds the job. */
  gate: { id: string; waitMinutes: number; rule: PlanApproval } | null;
}

/** Nothing is created by looking. */
export async function arriveAt(
  tx: Transaction,
  { pipelineId, event, name }: { pipelineId: string; event: PipelineEvent; name: string },
): Promise<Arrival> {
  const found = await findOfRun(tx, pipelineId, name);
  if (!found) throw new Error(`the run ${pipelineId} is gone`);
  const { trust, ...row } = found;
  const { id, branches, tags, approvers, approval_level, approval_count, allow_self, wait_minutes } = row;
  const exists = id !== null && branches && tags && approvers && approval_count !== null;
  if (!exists || row.name === null || allow_self === null || wait_minutes === null)
    return { name, refusal: refusalOf({ name, branches: [], tags: [] }, event, trust), gate: null };
  const stored = { branches, tags, approvers, approval_level, approval_count, allow_self, wait_minutes };
  const isProtected = approval_count > 0 || wait_minutes > 0;
  return {
    name: row.name,
    refusal: refusalOf({ name: row.name, branches, tags }, event, trust),
    gate: isProtected ? { id, waitMinutes: wait_minutes, rule: ruleOf(stored) } : null,
  };
}
