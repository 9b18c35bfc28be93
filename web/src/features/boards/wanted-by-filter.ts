/** What an issue needs so that a filter finds it, as far as the filter says so plainly. */
import { valuesOf } from "../search/qualifiers.ts";

export interface Wanted {
  labels: string[];
  /** Its title. */
  milestone: string | undefined;
  assignees: string[];
}

const none = "none";

/** `username`: of the viewer, for `me`. Of several milestones none is plain. */
export function wantedByFilter(q: string, username: string): Wanted {
  const labels = valuesOf(q, "label").filter((name) => name !== none);
  const milestones = new Set(valuesOf(q, "milestone"));
  const assignees = valuesOf(q, "assignee")
    .map((name) => name.replace(/^@/, ""))
    .filter((name) => name !== none)
    .map((name) => (name.toLowerCase() === "me" ? username : name));
  const [milestone] = milestones.size === 1 ? milestones : [];
  return {
    labels: [...new Set(labels)],
    milestone: milestone === none ? undefined : milestone,
    assignees: [...new Set(assignees)],
  };
}
