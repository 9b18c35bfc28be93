/** Text about concurrency groups: their page, and what a job waits for. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export const text = {
  title: "Concurrency groups",
  lead: "What must not run at the same time takes a slot of a group. Here are the groups that runs use now, with who holds a slot and who waits.",
  organizationLead:
    "Groups with `scope: org`, which the repositories of the organization share: who holds a slot now, and who waits.",
  docs: "How concurrency groups work",
  none: "No groups in use",
  noneHint: "Groups appear here as long as a run holds, waits for or may still ask for a slot.",
  group: "Group",
  shared: "organization",
  holders: (count: number, limit: number) => `Held (${count} of ${limit})`,
  queue: (length: number) => `Queue (${length})`,
  nobody: "nobody",
  more: (count: number) => `and ${count} more`,
  run: (number: number) => `#${number}`,
  wholeRun: "whole run",
  otherRepository: "a run of another repository",
  states: {
    held: "since",
    waiting: "waits since",
    expected: "does not need it yet; in line since",
    superseded: "being cancelled",
  } satisfies Record<Schemas["ConcurrencySlot"]["state"], string>,
  cancelled: "being cancelled for a newer run",
  release: "Release",
  releaseName: (number: number) => `Release the slot of run #${number}`,
  releaseTitle: "Release the slot?",
  releaseHint:
    "The next one in the queue gets it at once. If a job of this run still runs, both run at the same time: cancel the run first if they must not.",
  releaseOther: "Release the slot of a run of another repository",
  releaseOtherHint:
    "The next one in the queue gets it at once. The repository of this run has left the organization, so you cannot cancel the run: if a job of it still runs, both run at the same time.",
  released: "Released.",
  waitsFor: "Holds the slot now",
};
