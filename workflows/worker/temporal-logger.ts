/** Log lines of Temporal's libraries as lines of ours. */
import { DefaultLogger, type Logger as TemporalLogger } from "@temporalio/worker";
import type { Logger } from "@forgeline/server/platform/logger.ts";

const levels = { TRACE: "trace", DEBUG: "debug", INFO: "debug", WARN: "warn", ERROR: "error" } as const;

/** Temporal's `info` is about each change of a worker's state: `debug` for us. */
export function temporalLogger(logger: Logger): TemporalLogger {
  return new DefaultLogger("INFO", ({ level, message, meta }) => {
    logger[levels[level]](
      { temporal: meta && { error: meta["error"], workflowId: meta["workflowId"] } },
      message,
    );
  });
}
