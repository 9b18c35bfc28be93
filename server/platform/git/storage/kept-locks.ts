/**
 * Which of our Git processes keep a file locked while they run, so that other servers on the same disk see when each of them
 * ends.
 */
import { join } from "node:path";
import { keepingLocked } from "../../file-locks.ts";
import type { LiveProcesses } from "../../live-processes.ts";

/** In a repository: kept locked by whoever moves refs there and belongs to no push. */
export const refLocksFile = (directory: string) => join(directory, "ref-locks");
/** In a repository: kept locked by whoever takes locks among its objects. */
export const objectLocksFile = (directory: string) => join(directory, "object-locks");

const keptLocked: Readonly<Record<string, (directory: string) => string>> = {
  "pack-refs": refLocksFile,
  "fast-import": refLocksFile,
  repack: objectLocksFile,
  "commit-graph": objectLocksFile,
};

/**
 * What others must be able to see the end of, since it takes locks. `receive-pack` is not here: it has a handle 3, and with it
 * the open file of its server.
 */
export function lockHolding(
  what: { program: string; args: readonly string[]; directory: string },
  presence: LiveProcesses | undefined,
) {
  const command = what.args[0] ?? "";
  if (command === "update-ref") return presence ? keepingLocked(presence.path, what) : {};
  const file = keptLocked[command];
  return file ? keepingLocked(file(what.directory), what) : {};
}
