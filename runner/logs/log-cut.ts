/** A raw log is shorter than what was read of it, or cannot be read any more. Nothing that comes later can be trusted. */
export class LogCut extends Error {
  constructor(cause?: unknown) {
    super("The log was truncated, or can no longer be read.", { cause });
    this.name = "LogCut";
  }
}
