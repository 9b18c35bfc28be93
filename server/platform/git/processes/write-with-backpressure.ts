/** Back-pressure of a process that reads from us. */
import type { Writable } from "node:stream";

/** Resolves when the process has taken it, or takes nothing any more. */
export function writeWithBackpressure(stdin: Writable, data: Buffer): Promise<void> {
  return new Promise((resolve) => stdin.write(data, () => resolve()));
}
