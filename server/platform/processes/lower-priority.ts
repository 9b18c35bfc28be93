/** How programs give way to others. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** `niceness` from 0 to 19, also for the programs that it starts from now on; nothing happens when it has ended. */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
    // Where Linux groups programs by session, and each that we start has its own, niceness says nothing between them; this does.
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // It has ended already, or there are no such groups, or they may not be changed so often.
  }
}
