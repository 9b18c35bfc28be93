/**
 * The states of a lease in its runner, as the state file keeps them and `hello` tells them. A restarted runner goes on in the
 * state of the record, but for what had been under way: that is judged anew by what is left of the job.
 */
import { stateTable, type EventOf } from "@forgeline/schemas/core/state-table.ts";
import type { JobRecord } from "../state/job-record.ts";

const ways = { prepare: "preparing", resume: "running", collect: "collecting", revoke: "cleaning" } as const;

export const jobStates = stateTable({
  initial: "accepted",
  events: {
    prepare: "there is no environment to take up; also after a restart, as long as no step was begun",
    run: "environment, checkout and services are ready",
    resume: "after a restart: the prepared environment is still there",
    collect:
      "the steps are over, or the job failed or was told to stop: services end, the result is fixed and kept",
    clean:
      "containers go, while logs and result are delivered; after a restart, where the result had been kept",
    revoke: "the lease is lost: nothing is reported",
    report: "the server has taken the result, or wants none",
  },
  moves: {
    accepted: { prepare: "preparing" },
    preparing: { run: "running", ...ways },
    running: ways,
    collecting: { clean: "cleaning", ...ways },
    cleaning: { clean: "cleaning", report: "reported", ...ways },
    reported: {},
  },
});

/** Throws, and changes nothing, where the event cannot happen in the record's state. */
export function moveJob(record: Pick<JobRecord, "state">, event: EventOf<typeof jobStates>): void {
  const next = jobStates.next(record.state, event);
  if (next === undefined) throw new Error(`a job that is ${record.state} cannot ${event}`);
  record.state = next;
}
