/** The states of a placement (`placements.state`): the one runner that the jobs of a stage have. */
import { stateTable, type StateOf } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const placementStates = stateTable({
  initial: "open",
  events: {
    choose:
      "a claim takes the first job of the stage for a runner: its other jobs are offered to this runner only",
    reopen: "the runner refuses that job, or does not answer, and has no other one of the stage",
    begin: "the runner accepts a job of the stage",
    lose: "the runner is lost, was removed, drains without a job of the stage, or has lost the workspace; or nothing happened for an hour",
    end: "the stage is over, or a later sequence of the run has begun",
  },
  moves: {
    open: { choose: "chosen", end: "over" },
    chosen: { reopen: "open", begin: "held", end: "over" },
    held: { begin: "held", lose: "over", end: "over" },
    over: {},
  },
});

export type PlacementState = StateOf<typeof placementStates>;

export const placementSql = stateSql(placementStates);
