/** What stands beside an item, and as the API takes it. */
import type { AssignedPerson } from "./choices.tsx";
import type { ItemLabel, ItemMilestone } from "./work-item.ts";

export interface SideValues {
  labels: readonly ItemLabel[];
  assignees: readonly AssignedPerson[];
  milestone: ItemMilestone | null;
  /** Left out where there is none, as for merge requests. */
  due_on?: string | null | undefined;
}

export type SideChange = Partial<SideValues>;

export interface SideBody {
  labels?: string[];
  assignees?: string[];
  milestone?: string | null;
  due_on?: string | null;
}

export function sideBody({ labels, assignees, milestone, due_on: dueOn }: SideChange): SideBody {
  return {
    ...(labels ? { labels: labels.map(({ name }) => name) } : {}),
    ...(assignees ? { assignees: assignees.map(({ username }) => username) } : {}),
    ...(milestone === undefined ? {} : { milestone: milestone?.id ?? null }),
    ...(dueOn === undefined ? {} : { due_on: dueOn }),
  };
}
