/** The states of an export. */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

const ended = {};

export const auditExportStates = stateTable({
  initial: "queued",
  events: {
    begin: "a worker has taken it",
    finish: "its file is stored",
    fail: "it could not be done, or somebody has stopped it",
  },
  moves: {
    queued: { begin: "running", fail: "failed" },
    running: { finish: "done", fail: "failed" },
    done: ended,
    failed: ended,
  },
});

export const auditExportSql = stateSql(auditExportStates);
