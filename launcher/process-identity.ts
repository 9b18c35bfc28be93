/** Tells one process from a later one with the same number: by the moment it started (Linux, `/proc`). */
import { readFileSync } from "node:fs";

/** `"PID START"`, the start in clock ticks since boot (`man 5 proc`, field 22); undefined when there is none. */
export function identityOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in brackets, may hold blanks: count from behind it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended; only its parent has not heard of it yet.
    return fields[0] === "Z" ? undefined : `${pid} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether the process that had this identity is alive. */
export function isSameProcess(identity: string): boolean {
  const pid = Number.parseInt(identity, 10);
  return pid > 0 && identityOf(pid) === identity.trim();
}
