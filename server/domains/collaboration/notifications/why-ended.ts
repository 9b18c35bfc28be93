/** Why a merge request left the merge queue, or is not merged by itself any more, in words without a full stop. Pure. */
import type { AutoMergeEnd } from "@forgeline/schemas/merge-requests/auto-merge.ts";

export interface Ended {
  event: string;
  /** As its timeline keeps it: a sentence, or of merging by itself an `AutoMergeEnd`. */
  ended_because: string | null;
  /** The name of whoever did it; null: nobody. */
  actor: string | null;
}

/** Null for what has no reason. */
export function whyEnded({ event, ended_because: because, actor }: Ended): string | null {
  if (because === null) return null;
  if (event === "dequeued") return because.replace(/\.$/, "");
  if (because === "cancelled" && actor !== null) return `${actor} cancelled it`;
  return autoMergeEnds[because] ?? null;
}

const autoMergeEnds: Readonly<Record<string, string>> = {
  cancelled: "it was cancelled",
  closed: "it was closed",
  target_changed: "it has another target branch",
  head_moved: "it has another head than the one that was meant",
  foreign_push: "somebody without Write has pushed to it",
  conflict: "its branches conflict",
  access: "whoever asked for it may not merge it any more",
  scope: "the target branch has rules now, and the token with which it was asked for lacks repo:write",
  account: "the account of whoever asked for it is gone or suspended",
  archived: "the repository is archived",
} satisfies Record<AutoMergeEnd, string>;
