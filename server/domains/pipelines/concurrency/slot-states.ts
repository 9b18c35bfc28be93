/** The states of a slot (`concurrency_slots.state`): the place of a run, stage or job in its concurrency group. */
import { stateTable, type StateOf } from "@forgeline/schemas/core/state-table.ts";
import { stateSql } from "../../../platform/db/state-sql.ts";

export const slotStates = stateTable({
  initial: "expected",
  events: {
    ask: "`startJobs`: a job could start now, and needs the slot",
    grant:
      "it is the first of the queue and the group has room: `startJobs` goes on, or the workflow is told",
    supersede: "a newer one asked, with `newest` or `cancel_running`: the workflow is told to cancel it",
    outrun:
      "a newer one asked, with `cancel_running`: the workflow is told to cancel what holds the slot until it has ended",
    move: "its repository was transferred to an organization that shares groups: the same place in its group",
    end: "the run, stage or job is over, somebody released the slot, or the repository left the organization before it was held: the row is deleted and the next one gets its turn",
  },
  moves: {
    expected: { ask: "waiting", move: "expected", end: "gone" },
    waiting: { grant: "held", supersede: "superseded", move: "waiting", end: "gone" },
    held: { outrun: "held", end: "gone" },
    superseded: { end: "gone" },
    gone: {},
  },
});

export type SlotState = Exclude<StateOf<typeof slotStates>, "gone">;

export const slotSql = stateSql(slotStates);
