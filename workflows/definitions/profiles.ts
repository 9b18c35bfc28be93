/** Timeouts and retries of activities by name; numbers do not stand at call sites. */
import type { LocalActivityOptions } from "@temporalio/workflow";

/** Short work in PostgreSQL: runs inside the workflow task, and is tried until the database is back. */
export const quick: LocalActivityOptions = {
  startToCloseTimeout: "15 s",
  localRetryThreshold: "20 s",
  retry: { initialInterval: "100 ms", backoffCoefficient: 2, maximumInterval: "10 s" },
};
