/**
 * The states of an attempt (`job_attempts.state`), which is the record of a try, the queue and the lease at once. Its status
 * says how the try is going and how it ended; who may do what with it is decided by the state alone.
 *
 * A job that starts another pipeline has an attempt too, which no runner may claim: it begins as `delegated`.
 *
 * Every change locks the row, in a statement or before it. What a runner says counts only with the current epoch.
 */
import { stateTable, type EventOf, type StateOf } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const attemptStates = stateTable({
  initial: "queued",
  events: {
    offer:
      "a hub claims it for a runner: the epoch rises by 1, the runner is recorded, and the runner has 10 s to answer",
    giveBack: "the runner refuses, or its connection ends",
    expire: "the runner does not answer in time",
    accept: "the runner accepts: the server creates the job token and the log streams and sends `lease`",
    start:
      "the runner sends `started`: the status becomes `running`, and the workflow gets the fact `started`",
    overrun:
      "the sweeper finds a step past its time limit: it sets the column `cancel`, unless that is already set",
    finish:
      "the runner sends `done` with the current epoch after all logs, or the pipeline that the job started has ended: result and steps are stored, and the workflow gets the fact `done`",
    lapse:
      "no heartbeat for 90 s of server uptime, or a user declares the silent runner lost: the epoch rises by 1, the attempt ends as `error/runner_lost`, and the workflow gets the fact `reclaimed`",
    unplace:
      "its [placement](placements.md) is lost, with the workspace that it was to work in: it ends as `error/runner_lost`, and the workflow gets the fact `reclaimed`",
    stop: "the workflow stops the job: if no runner has it, the epoch rises by 1; otherwise the column `cancel` is set, and the hub repeats `cancel` until `done`; a pipeline that the job started is cancelled",
    forceEnd:
      "the workflow stops waiting (15 s after the grace period): the epoch rises by 1, so that a later `done` is stale",
    delegate: "`startJobs` creates it for a job that starts another pipeline, so that no runner claims it",
    follow:
      "the pipeline that the job starts is there: the status becomes `running`, and the workflow gets the fact `started`",
    abandon:
      "the run ends because of an internal failure: the epoch rises by 1, and the attempt ends as `error/internal`",
  },
  moves: {
    queued: {
      offer: "offered",
      unplace: "ended",
      delegate: "delegated",
      stop: "ended",
      forceEnd: "ended",
      abandon: "ended",
    },
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
    delegated: { follow: "following", finish: "ended", stop: "ended", forceEnd: "ended", abandon: "ended" },
    following: { finish: "ended", stop: "following", forceEnd: "ended", abandon: "ended" },
    ended: {},
  },
});

export type AttemptState = StateOf<typeof attemptStates>;
export type AttemptEvent = EventOf<typeof attemptStates>;

export const attemptSql = stateSql(attemptStates);
