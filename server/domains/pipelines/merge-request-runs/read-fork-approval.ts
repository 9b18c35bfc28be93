/** What is shown with a run of the approval of its commit. */
import type { ForkApproval } from "@forgeline/schemas/approvals/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { findForkRun, listForkRuns } from "./fork-decisions.store.ts";
import { presentForkApproval } from "./present.ts";

/** null for a run that nobody is or was asked about. */
export async function findForkApproval(
  db: Queryable,
  pipelineId: string,
  viewerId: string | null,
): Promise<ForkApproval | null> {
  const row = await findForkRun(db, pipelineId, viewerId);
  return row ? presentForkApproval(row) : null;
}

/** By the ids of runs; those that nobody is or was asked about are left out. */
export async function findForkApprovals(
  db: Queryable,
  pipelineIds: readonly string[],
  viewerId: string,
): Promise<Map<string, ForkApproval>> {
  const rows = await listForkRuns(db, pipelineIds, viewerId);
  return new Map(rows.map((row) => [row.id, presentForkApproval(row)]));
}
