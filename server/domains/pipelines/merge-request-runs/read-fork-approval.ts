/** What is shown with a run of the approval of its commit. */
import type { ForkApproval } from "@forgeline/schemas/approvals/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { findForkRun } from "./fork-decisions.store.ts";
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
