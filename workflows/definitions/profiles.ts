/** Timeouts and retries of activities by name; numbers do not stand at call sites. */
import type { ActivityOptions, LocalActivityOptions } from "@temporalio/workflow";

/**
 * Short work in PostgreSQL: runs inside the workflow task, and is tried until the database is back. While a try waits for
 * the next one it holds a place of the worker and the decision that it is part of, of which there are few. So a wait that is
 * longer than the threshold is a timer in the run's history instead, which holds nothing. The longest wait is half a
 * minute, since each such try makes the history longer.
 */
export const shortActivity: LocalActivityOptions = {
  startToCloseTimeout: "15 s",
  localRetryThreshold: "1 s",
  retry: { initialInterval: "100 ms", backoffCoefficient: 2, maximumInterval: "30 s" },
};

/** Work of minutes or hours by a worker that tells that it lives; another one takes over when it does not. */
export const longActivity: ActivityOptions = {
  startToCloseTimeout: "7 hours",
  heartbeatTimeout: "30 s",
  retry: { initialInterval: "10 s", backoffCoefficient: 2, maximumAttempts: 3 },
};

/** As long work; what is wrong with a source is no failure, so only ours are tried again. */
export const mirrorActivity: ActivityOptions = {
  startToCloseTimeout: "7 hours",
  heartbeatTimeout: "10 s",
  retry: { initialInterval: "1 s", backoffCoefficient: 2, maximumInterval: "1 minute", maximumAttempts: 20 },
};

/** As long work, but it has to be done: tried until what it needs is there again. Somebody is waiting for it. */
export const patientActivity: ActivityOptions = {
  startToCloseTimeout: "7 hours",
  heartbeatTimeout: "10 s",
  retry: { initialInterval: "1 s", backoffCoefficient: 2, maximumInterval: "1 minute" },
};

/** Runs for up to an hour, one at a time; another worker takes over soon after the last sign of life. */
export const followerActivity: ActivityOptions = {
  startToCloseTimeout: "2 hours",
  heartbeatTimeout: "5 s",
  retry: { initialInterval: "100 ms", backoffCoefficient: 2, maximumInterval: "10 s" },
};

/** Entries of an audit log to their target, for some minutes; what is wrong with the target is no failure. */
export const streamActivity: ActivityOptions = {
  startToCloseTimeout: "15 minutes",
  heartbeatTimeout: "10 s",
  retry: { initialInterval: "1 s", backoffCoefficient: 2, maximumInterval: "1 minute" },
};

/** Requests to one endpoint, for about half a minute. */
export const webhookActivity: ActivityOptions = {
  startToCloseTimeout: "5 minutes",
  heartbeatTimeout: "15 s",
  retry: { initialInterval: "1 s", backoffCoefficient: 2, maximumInterval: "1 minute" },
};
