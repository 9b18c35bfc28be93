/** Whether a process that was started earlier is still there, and still the same one. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { signalProcess } from "./marked-processes.ts";

/**
 * False for one that is dead and only waits for its parent to notice, which has no arguments any more, and for another one that has its id by
 * now. Without `/proc`, whatever has the id counts.
 */
export async function isRunning(pid: number, directory: string): Promise<boolean> {
  if (!signalProcess(pid, 0)) return false;
  const words = await readFile(`/proc/${String(pid)}/cmdline`, "utf8").catch(() => null);
  // Gone meanwhile, or nothing is to be seen of any process here.
  return words === null ? signalProcess(pid, 0) : words.includes(directory);
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
