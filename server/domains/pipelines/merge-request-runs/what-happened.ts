/** What of a change of a merge request can make runs, as `on.merge_request.types` names it. Pure. */
import type { MergeRequestType } from "@forgeline/schemas/pipeline-file/event.ts";

/** What happened to a merge request, as its event says. */
export type SubjectChange =
  | "opened"
  | "edited"
  | "closed"
  | "reopened"
  | "merged"
  | "synchronized"
  | "queued"
  | "dequeued";

export interface SubjectState {
  is_open: boolean;
  target_branch: string;
  draft: boolean;
  labels: readonly string[];
}

const ofAction: Readonly<Partial<Record<SubjectChange, MergeRequestType>>> = {
  opened: "opened",
  reopened: "reopened",
  synchronized: "updated",
  closed: "closed",
  merged: "merged",
};

/**
 * `before`: undefined where nothing is known of it yet. What a job did makes no runs, except those for another target branch:
 * otherwise a run that changes its merge request would start itself again, without end.
 */
export function happenedIn(
  before: SubjectState | undefined,
  after: SubjectState,
  { action, byJob }: { action: SubjectChange; byJob: boolean },
): MergeRequestType[] {
  const types = new Set<MergeRequestType>();
  const named = ofAction[action];
  if (named && !byJob) types.add(named);
  if (before && before.target_branch !== after.target_branch && after.is_open) types.add("updated");
  if (before?.is_open && after.is_open && !byJob) {
    if (before.draft && !after.draft) types.add("ready");
    if (after.labels.some((label) => !before.labels.includes(label))) types.add("labeled");
  }
  return [...types];
}

/**
 * Of all that happened since runs were made, what still makes some: of one that was closed or merged, that; of an open one, the rest.
 * Where an earlier release asked for runs, it did not say why: it was one of the usual reasons.
 */
export function stillWanted({
  happened,
  is_open: isOpen,
}: {
  happened: readonly string[];
  is_open: boolean;
}): MergeRequestType[] {
  if (happened.length === 0) return isOpen ? ["updated"] : [];
  const isEnd = (type: string) => type === "closed" || type === "merged";
  return (happened as MergeRequestType[]).filter((type) => isEnd(type) !== isOpen);
}
