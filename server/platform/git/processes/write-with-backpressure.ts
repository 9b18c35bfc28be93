/** Writes to a process with back-pressure. */
import type { Writable } from "node:stream";

/** Resolves when the process has read it, or reads nothing any more. */
export function writeWithBackpressure(stdin: Writable, data: Buffer): Promise<void> {
  return new Promise((resolve) => stdin.write(data, () => resolve()));
}
