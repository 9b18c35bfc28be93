/**
 * Whether a run continues. Its status follows from its jobs (`aggregate.ts`); what people and administrators may do with it
 * depends on this alone. A run whose file was not executed has ended from the start.
 */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";

export const runStates = stateTable({
  initial: "open",
  events: {
    finish: "the last job gets its final status",
    cancel: "a user cancels the run: the reason is stored and the workflow is told",
    resume: "an administrator starts a new workflow because the previous one was lost",
    end: "an administrator ends the run as `error/internal`, with all jobs that are not final",
    rerun: "a user runs some of its jobs again: the sequence rises by 1, and a new workflow starts",
  },
  moves: {
    open: { finish: "over", cancel: "open", resume: "open", end: "over" },
    over: { rerun: "open" },
  },
});

export function runStateOf(status: Status): (typeof runStates.states)[number] {
  return isFinal(status) ? "over" : "open";
}
