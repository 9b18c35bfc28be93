/** The states of a merge request in a merge queue; all that are tested together are in one. It ends with its row. */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";

export const queueEntryStates = stateTable({
  initial: "queued",
  events: {
    test: "it is merged with those before it, and runs are made for the result",
    pass: "what has to succeed has; the branch is about to move to exactly what was tested",
    giveUp:
      "it failed with others, or something has changed: the branch, the rules, the order, or one of them; it is tested again",
  },
  moves: {
    queued: { test: "testing" },
    testing: { pass: "landing", giveUp: "queued" },
    // The branch may refuse to move.
    landing: { giveUp: "queued" },
  },
});
