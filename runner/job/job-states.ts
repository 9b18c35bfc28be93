/**
 * The states of a lease in its runner, as the state file keeps them and `hello` tells them. A restarted runner continues in the
 * state of the record, but for what had been under way: that is judged again by what is left of the job.
 */
import { stateTable, type EventOf } from "@forgeline/schemas/core/state-table.ts";
import type { JobRecord } from "../state/job-record.ts";

const ways = { prepare: "preparing", resume: "running", collect: "collecting", revoke: "cleaning" } as const;

export const jobStates = stateTable({
  initial: "accepted",
  events: {
    prepare: "the job has no environment yet; also after a restart if no step has started",
    run: "environment, checkout and services are ready",
    resume: "after a restart: the prepared environment still exists",
    collect:
      "the steps have ended, or the job failed or must stop: services end, and the result is determined and stored",
    clean:
      "containers are removed while logs and result are delivered; after a restart if the result was already stored",
    revoke: "the lease is lost: the runner reports nothing",
    report: "the server has accepted the result, or does not want one",
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
