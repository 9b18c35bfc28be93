/** Whether a process that was started earlier is still there, and still the same one. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { signalProcess } from "./marked-processes.ts";

/** False for one that is dead and only waits for its parent to notice. */
export async function isRunning(pid: number): Promise<boolean> {
  if (!signalProcess(pid, 0)) return false;
  const stat = await readFile(`/proc/${String(pid)}/stat`, "latin1").catch(() => "");
  return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/**
 * Ids are given again, and a signal to a stranger's group would be fatal: it is ours if its arguments name this directory, or if it is gone
 * and only its group is left, whose id is not given again meanwhile.
 */
export async function isStillOurs(pid: number, directory: string): Promise<boolean> {
  if (!signalProcess(pid, 0)) return signalProcess(-pid, 0);
  const words = await readFile(`/proc/${String(pid)}/cmdline`, "utf8").catch(() => wordsByPs(pid));
  return words === "" || words.includes(directory);
}

/** Where there is no `/proc`. */
function wordsByPs(pid: number): Promise<string> {
  return new Promise((resolve) => {
    execFile("ps", ["-ww", "-o", "command=", "-p", String(pid)], (_error, stdout) => resolve(stdout));
  });
}
