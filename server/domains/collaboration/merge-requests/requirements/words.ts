/** Why a merge request cannot be merged, in words. */
import { nameOfCheck, type CheckState } from "../../../hosting/domain.ts";
import type { Lacking } from "./judge.ts";

/** `nameOf`: of somebody who has reviewed. */
export function wordsOf(lacking: Lacking, nameOf: (userId: string) => string): string {
  switch (lacking.kind) {
    case "approvals":
      return `It needs ${countOf(lacking.required)} by people with Write, and ${lacking.missing} ${lacking.missing === 1 ? "is" : "are"} missing.`;
    case "changes_requested":
      return `${nameOf(lacking.userId)} requested changes: they have to approve, or somebody with Maintain dismisses their review.`;
    case "other_approver":
      return "Somebody other than the last pusher has to approve the newest commits.";
    case "code_owners": {
      const section = lacking.section === null ? "" : ` (${lacking.section})`;
      return `It needs ${countOf(lacking.missing)} more by code owners of ${lacking.pattern}${section}.`;
    }
    case "owners_unknown":
      return "It changes too much to tell whose code owners have to approve: split it.";
    case "queue":
      return "Merge requests go into this branch by its merge queue: add it there.";
    case "pipeline":
      return "No run has succeeded for its head.";
    case "check":
      return `${nameOfCheck(lacking.outcome.check)} ${states[lacking.outcome.state]}.`;
  }
}

const states: Record<CheckState, string> = {
  passed: "has passed",
  skipped: "was skipped",
  failed: "has not passed",
  running: "has not ended yet",
  missing: "has not run for its head",
};

function countOf(approvals: number): string {
  return `${approvals} approval${approvals === 1 ? "" : "s"}`;
}
