/** The approval of a fork's run as REST shows it. Pure. */
import type { ForkApproval } from "@forgeline/schemas/approvals/resource.ts";
import type { ForkRunRow } from "./fork-decisions.store.ts";

export function presentForkApproval(row: ForkRunRow): ForkApproval {
  const { user_id: id, username } = row;
  return {
    merge_request: row.number ?? 0,
    author: row.author ?? "",
    state: stateOf(row),
    sha: row.sha,
    plan_sha256: row.decided_sha256 ?? row.plan_sha256 ?? "",
    decided_by: id === null || username === null ? null : { id, username },
    comment: row.comment ?? "",
    decided_at: row.decided_at?.toISOString() ?? null,
    may_decide: row.may_decide === true && stateOf(row) === "open",
  };
}

function stateOf({ decision, is_open: isOpen }: ForkRunRow): ForkApproval["state"] {
  if (decision !== null) return decision === "approve" ? "approved" : "rejected";
  return isOpen ? "open" : "closed";
}
