/** The states of a shell (`shells.state`). */
import { stateTable, type StateOf } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const shellStates = stateTable({
  initial: "asked",
  events: {
    connect: "the viewer's socket is open: the runner of the job is told",
    run: "the runner's socket is open",
    end: "the shell, the job, a socket or a server has ended, a limit is reached, or a right is lost",
  },
  moves: {
    asked: { connect: "connected", end: "ended" },
    connected: { run: "running", end: "ended" },
    running: { end: "ended" },
    ended: {},
  },
});

export type ShellState = StateOf<typeof shellStates>;

export const shellSql = stateSql(shellStates);
