/**
 * The states of an attempt (`job_attempts.state`), which is the record of a try, the queue and the lease at once. Its status
 * says how the try is going and how it ended; who may do what with it is decided by the state alone.
 *
 * Every change locks the row, in a statement or before it. What a runner says counts only with the current epoch.
 */
import { stateTable, type EventOf, type StateOf } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const attemptStates = stateTable({
  initial: "queued",
  events: {
    offer: "a hub claims it for a runner: epoch + 1, the runner, a deadline of 10 s",
    giveBack: "the runner refuses, or its connection ends",
    expire: "the deadline passes in silence",
    accept: "the runner accepts: job token made, streams made, `lease` sent",
    start: "`started`: status `running`; the fact `started` for the workflow",
    overrun: "the sweeper sees a step past its limit: `cancel` column, unless somebody has asked before",
    finish: "`done`, with the current epoch and all logs there: result, steps, the fact `done`",
    lapse: "90 s of server up-time without heartbeat: epoch + 1, `error/runner_lost`, the fact `reclaimed`",
    stop: "the workflow stops the job: epoch + 1 where no runner has it; else `cancel` column, which the hub sends until `done`",
    forceEnd: "the workflow waits no longer (grace + 15 s): epoch + 1, so that a later `done` is stale",
    abandon: "the run ends by a failure of ours: epoch + 1, `error/internal`",
  },
  moves: {
    queued: { offer: "offered", stop: "ended", forceEnd: "ended", abandon: "ended" },
    offered: {
      giveBack: "queued",
      expire: "queued",
      accept: "leased",
      stop: "ended",
      forceEnd: "ended",
      abandon: "ended",
    },
    leased: {
      start: "leased",
      overrun: "leased",
      finish: "ended",
      lapse: "ended",
      stop: "leased",
      forceEnd: "ended",
      abandon: "ended",
    },
    ended: {},
  },
});

export type AttemptState = StateOf<typeof attemptStates>;
export type AttemptEvent = EventOf<typeof attemptStates>;

export const attemptSql = stateSql(attemptStates);
