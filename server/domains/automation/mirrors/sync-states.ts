/** The states of a sync. */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const syncStates = stateTable({
  initial: "running",
  events: {
    succeed: "the refs are those of the source",
    fail: "the source could not be read, or what it has is not taken here",
    stop: "an administrator cancels it, or its workflow was ended from outside",
  },
  moves: {
    running: { succeed: "succeeded", fail: "failed", stop: "cancelled" },
    succeeded: {},
    failed: {},
    cancelled: {},
  },
});

export const syncSql = stateSql(syncStates);
