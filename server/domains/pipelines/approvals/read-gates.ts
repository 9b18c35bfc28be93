/** Gates of a run as its viewer sees them. */
import type { ApprovalGate } from "@forgeline/schemas/approvals/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { listGates } from "./gates.store.ts";
import { presentGate } from "./present.ts";

/** Of the current sequence, in the order in which they were reached. */
export async function readGates(
  db: Queryable,
  pipelineId: string,
  viewer: Actor | undefined,
): Promise<ApprovalGate[]> {
  const rows = await listGates(db, pipelineId, { userId: viewer?.userId ?? null });
  return rows.map(presentGate);
}
