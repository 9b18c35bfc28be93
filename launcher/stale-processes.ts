/**
 * Processes that a launcher left behind when it was killed: each child's pid is kept in a file with the moment it
 * started, so that the next start can end exactly that process and none that got its number since.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { identityOf, isSameProcess } from "./process-identity.ts";
import { waitFor } from "./wait-for.ts";

/** By dependency: the first to end comes first. */
const endOrder = ["runner", "worker", "api-server", "temporal", "postgresql"];
/** The runner gives jobs ten seconds, and the server some to finish what it answers. */
const shutdownTimeoutMs = 30_000;

/** At once, not later: whoever kills us in the next moment leaves the file behind. */
export function rememberProcess(directory: string, name: string, pid: number): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), identityOf(pid) ?? "");
}

export interface EndStaleProcessesOptions {
  /**
   * Leaves the runner's containers running: it is killed, and the runner that starts next takes them up with their
   * output. Otherwise it ends its jobs.
   */
  keepJobs: boolean;
}

/** Ends what is left; returns the names. PostgreSQL's fast shutdown is INT, which the others take as well. */
export async function endStaleProcesses(
  directory: string,
  { keepJobs }: EndStaleProcessesOptions,
): Promise<string[]> {
  const ended: string[] = [];
  const names = await readdir(directory).catch(() => []);
  for (const name of names.toSorted((a, b) => endOrder.indexOf(a) - endOrder.indexOf(b))) {
    const identity = await readFile(join(directory, name), "utf8");
    if (isSameProcess(identity)) {
      await endProcess(identity, keepJobs && name === "runner" ? "SIGKILL" : "SIGINT");
      ended.push(name);
    }
    await rm(join(directory, name), { force: true });
  }
  return ended;
}

async function endProcess(identity: string, signal: NodeJS.Signals): Promise<void> {
  const pid = Number.parseInt(identity, 10);
  const hasEnded = async () => (isSameProcess(identity) ? undefined : true);
  process.kill(pid, signal);
  try {
    await waitFor(hasEnded, { what: `the end of process ${pid}`, timeoutMs: shutdownTimeoutMs });
  } catch {
    process.kill(pid, "SIGKILL");
    await waitFor(hasEnded, { what: `the end of process ${pid}`, timeoutMs: 5_000 });
  }
}
