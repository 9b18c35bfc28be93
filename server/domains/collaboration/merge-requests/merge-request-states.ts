/** The states of a merge request, which are those of its work item. */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";

export const mergeRequestStates = stateTable({
  initial: "open",
  events: {
    close: "somebody closes it, or one of its branches is deleted",
    reopen: "somebody reopens it; both branches exist",
    merge: "its commits are in the target branch: they were merged here, or with Git and pushed",
  },
  moves: {
    open: { close: "closed", merge: "merged" },
    // Its commit may reach the target branch although it was closed meanwhile, when a server died in between.
    closed: { reopen: "open", merge: "merged" },
    merged: {},
  },
});
