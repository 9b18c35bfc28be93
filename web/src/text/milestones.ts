/** Text of the page about milestones. */
import type { Schemas } from "@forgeline/client/schemas.ts";

const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

export const text = {
  title: "Milestones",
  lead: "Issues of this repository that are to be done together, by a certain day.",
  docs: "How labels and milestones work",
  labels: "Labels",
  which: "Milestones by state",
  states: { open: "Open", closed: "Closed" } satisfies Record<Schemas["Milestone"]["state"], string>,
  none: { open: "No open milestones", closed: "No closed milestones" },
  noneHint: {
    open: "A milestone shows how much of a plan is done, and what is left.",
    closed: "Close a milestone once its issues are done.",
  },
  milestone: "Milestone",
  name: "Title",
  description: "Description",
  due: "Due",
  dueHint: "The last day. May stay empty.",
  dueOn: (date: string) => day.format(new Date(date)),
  noDue: "no day",
  overdue: "overdue",
  progress: "Progress",
  progressOf: (closed: number, all: number) =>
    all === 0 ? "no issues" : `${closed} of ${all} ${all === 1 ? "issue" : "issues"} closed`,
  actions: "Actions",
  add: "New milestone",
  create: "Create milestone",
  created: "Milestone created.",
  edit: "Edit",
  editName: (title: string) => `Edit ${title}`,
  save: "Save",
  saved: "Milestone saved.",
  close: "Close",
  closeName: (title: string) => `Close ${title}`,
  closed: "Milestone closed.",
  reopen: "Reopen",
  reopenName: (title: string) => `Reopen ${title}`,
  reopened: "Milestone reopened.",
  remove: "Delete",
  removeName: (title: string) => `Delete ${title}`,
  removeTitle: (title: string) => `Delete ${title}?`,
  removeHint: "Its issues and merge requests stay, without a milestone. This cannot be undone.",
  removed: "Milestone deleted.",
} as const;
