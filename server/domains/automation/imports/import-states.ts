/** The states of an import. */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const importStates = stateTable({
  initial: "queued",
  events: {
    begin: "a worker reads what comes next",
    pause: "the other host allows no more requests for now",
    finish: "everything was read",
    fail: "it cannot go on, or an administrator stops it",
    cancel: "whoever began it, or administers the repository, stops it",
    retry: "whoever began it goes on with it",
  },
  moves: {
    queued: { begin: "running", fail: "failed", cancel: "cancelled" },
    running: { begin: "running", pause: "paused", finish: "done", fail: "failed", cancel: "cancelled" },
    paused: { begin: "running", fail: "failed", cancel: "cancelled" },
    done: {},
    failed: { retry: "queued" },
    cancelled: { retry: "queued" },
  },
});

export const importSql = stateSql(importStates);
