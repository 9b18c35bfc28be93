/**
 * The states of a push (`pushes.state`). Refs lie outside the database, so a push is written before any of them moves, and
 * what became of it after. Moves that nobody is known to have made are written as `recorded` at once.
 */
import { stateTable } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const pushStates = stateTable({
  initial: "intended",
  events: {
    record: "refs have moved: the moves and their consequences are written in one transaction",
    refuse: "no ref has moved, and none will move",
    pass: "the process whose Git moves the refs is recorded anew: another process, or none",
  },
  moves: {
    intended: { record: "recorded", refuse: "refused", pass: "intended" },
    recorded: {},
    refused: {},
  },
});

export const pushSql = stateSql(pushStates);
