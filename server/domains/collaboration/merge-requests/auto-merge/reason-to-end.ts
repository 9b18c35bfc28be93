/** Whether what happens to a merge request ends the wait for merging it by itself. Pure. */
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";

export interface AutoMergeStanding {
  /** The only head that is meant; null: any. */
  sha: string | null;
  /** What it was asked for. */
  target_branch: string;
  head_sha: string;
  target_now: string;
  /** The source branch is in the repository itself, where nobody pushes without Write. */
  is_own: boolean;
  /** Whoever brought the head may write in the repository. */
  writes: boolean;
}

/** Undefined: it goes on waiting. */
export function reasonToEnd(standing: AutoMergeStanding, action: string): AutoMergeEnd | undefined {
  if (action === "closed") return "closed";
  if (standing.target_branch !== standing.target_now) return "target_changed";
  if (standing.sha !== null && standing.sha !== standing.head_sha) return "head_moved";
  // Otherwise whoever may not merge could add to what somebody else has agreed to.
  if (action === "synchronized" && !standing.is_own && !standing.writes) return "foreign_push";
  return undefined;
}
