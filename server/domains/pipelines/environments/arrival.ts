/** What a job that is about to deploy finds: its environment, whether the run may deploy there, and which gate it asks for. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { findOfRun } from "./environments.store.ts";
import { olderText, refusalOf, ruleOf } from "./protection.ts";

export interface Arrival {
  /** As the environment is written, whatever the case in the file; that of the file where there is none yet. */
  name: string;
  /** A sentence for people; null: the run may deploy. */
  refusal: string | null;
  /** Why what is older may not be deployed, as a sentence; null: it is not older, or the environment takes it. */
  older: string | null;
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
  const { trust, newer, ...row } = found;
  const {
    id,
    branches,
    tags,
    approvers,
    approval_level,
    approval_count,
    allow_self,
    wait_minutes,
    refuse_older,
  } = row;
  const exists = id !== null && branches && tags && approvers && approval_count !== null;
  if (!exists || row.name === null || allow_self === null || wait_minutes === null || refuse_older === null)
    return {
      name,
      refusal: refusalOf({ name, branches: [], tags: [] }, event, trust),
      older: null,
      gate: null,
    };
  const stored = {
    branches,
    tags,
    approvers,
    approval_level,
    approval_count,
    allow_self,
    wait_minutes,
    refuse_older,
  };
  const isProtected = approval_count > 0 || wait_minutes > 0;
  return {
    name: row.name,
    refusal: refusalOf({ name: row.name, branches, tags }, event, trust),
    older: newer && olderText(newer),
    gate: isProtected ? { id, waitMinutes: wait_minutes, rule: ruleOf(stored) } : null,
  };
}
