/** Log lines of Temporal's libraries as lines of ours. */
import { DefaultLogger, type Logger as TemporalLogger } from "@temporalio/worker";
import type { Logger } from "@forgeline/server/platform/logger.ts";

const levels = { TRACE: "trace", DEBUG: "debug", INFO: "debug", WARN: "warn", ERROR: "error" } as const;

/**
 * Temporal's `info` is about each change of a worker's state: `debug` for us. An error is told in words, since its text is
 * none of the members that JSON shows; without it nobody could tell why a run has ended as `internal`.
 */
export function temporalLogger(logger: Logger): TemporalLogger {
  return new DefaultLogger("INFO", ({ level, message, meta }) => {
    logger[levels[level]](
      {
        temporal: meta && {
          error: inWords(meta["error"]),
          workflow_id: meta["workflowId"] as unknown,
          activity: meta["activityType"] as unknown,
        },
      },
      message,
    );
  });
}

/** With its code, such as a SQLSTATE, where it has one. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "type" in error ? error.type : "code" in error ? error.code : null;
  return typeof code === "string" ? `${code}: ${error.message}` : error.message;
}
