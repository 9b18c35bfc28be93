/** The states of a sync of a fork. */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

const ended = {};

export const forkSyncStates = stateTable({
  initial: "waiting",
  events: {
    begin: "a worker has taken it",
    find_nothing: "no branch of the upstream has commits that the fork does not have",
    forward: "branches went on to the commits of the upstream",
    merge: "at least one branch got a merge commit",
    clash: "a branch cannot be merged",
    fail: "it could not be done",
    stop: "an administrator cancels it, or its workflow was ended from outside",
  },
  moves: {
    waiting: { begin: "running", fail: "failed", stop: "cancelled" },
    running: {
      find_nothing: "up_to_date",
      forward: "fast_forwarded",
      merge: "merged",
      clash: "conflict",
      fail: "failed",
      stop: "cancelled",
    },
    up_to_date: ended,
    fast_forwarded: ended,
    merged: ended,
    conflict: ended,
    failed: ended,
    cancelled: ended,
  },
});

export const forkSyncSql = stateSql(forkSyncStates);
