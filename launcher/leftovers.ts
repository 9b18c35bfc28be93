/**
 * Processes that a launcher left behind when it was killed: each child's pid is kept in a file with the moment it
 * started, so that the next start can end exactly that process and none that got its number since.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "./wait-for.ts";

/** In clock ticks since boot (`man 5 proc`, field 22); undefined when the process is gone. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The name, in brackets, may hold blanks: count from behind it.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

export async function rememberProcess(directory: string, name: string, pid: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, name), `${pid} ${(await startTimeOf(pid)) ?? ""}`);
}

/** Ends what is left; returns the names. PostgreSQL's fast shutdown is INT, which the others take as well. */
export async function endLeftovers(directory: string): Promise<string[]> {
  const ended: string[] = [];
  for (const name of await readdir(directory).catch(() => [])) {
    const [pid, startTime] = (await readFile(join(directory, name), "utf8")).split(" ");
    if (startTime && (await startTimeOf(Number(pid))) === startTime) {
      await endProcess(Number(pid), startTime);
      ended.push(name);
    }
    await rm(join(directory, name), { force: true });
  }
  return ended;
}

async function endProcess(pid: number, startTime: string): Promise<void> {
  const gone = async () => ((await startTimeOf(pid)) === startTime ? undefined : true);
  process.kill(pid, "SIGINT");
  try {
    await waitFor(gone, { what: `the end of process ${pid}`, timeoutMs: 15_000 });
  } catch {
    process.kill(pid, "SIGKILL");
    await waitFor(gone, { what: `the end of process ${pid}`, timeoutMs: 5_000 });
  }
}
