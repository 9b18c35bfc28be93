/** Timeouts and retries of activities by name; numbers do not stand at call sites. */
import type { ActivityOptions, LocalActivityOptions } from "@temporalio/workflow";

/** Short work in PostgreSQL: runs inside the workflow task, and is tried until the database is back. */
export const quick: LocalActivityOptions = {
  startToCloseTimeout: "15 s",
  localRetryThreshold: "20 s",
  retry: { initialInterval: "100 ms", backoffCoefficient: 2, maximumInterval: "10 s" },
};

/** Work of minutes or hours by a worker that tells that it lives; another one takes over when it does not. */
export const long: ActivityOptions = {
  startToCloseTimeout: "7 hours",
  heartbeatTimeout: "30 s",
  retry: { initialInterval: "10 s", backoffCoefficient: 2, maximumAttempts: 3 },
};
