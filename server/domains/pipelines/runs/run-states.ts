/**
 * Whether a run goes on. Its status follows from its jobs (`aggregate.ts`); what people and administrators may do with it
 * depends on this alone. A run whose file was not run is over from the beginning, and stays so.
 */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";

export const runStates = stateTable({
  initial: "open",
  events: {
    finish: "the last job is settled",
    cancel: "somebody cancels: the reason is kept, the workflow is told",
    resume: "an administrator begins its workflow anew, which was lost",
    end: "an administrator ends it as `error/internal`, with all that it still does",
    rerun: "somebody runs jobs of it again: sequence + 1, and a workflow of its own",
  },
  moves: {
    open: { finish: "over", cancel: "open", resume: "open", end: "over" },
    over: { rerun: "open" },
  },
});

export function runStateOf(status: Status): (typeof runStates.states)[number] {
  return isFinal(status) ? "over" : "open";
}
