/** Structured logs, one JSON line each on standard output; secrets never get here (see `redact`). */
import { pino, type Logger } from "pino";

export type { Logger };

export function createLogger(options: { name: string; level: string }): Logger {
  return pino({
    name: options.name,
    level: options.level,
    base: { name: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ["token", "password", "authorization", "*.token", "*.password", "*.authorization"],
      censor: "[redacted]",
    },
  });
}
