/**
 * Processes of jobs, found by a variable in their environment that all of them inherit, whatever group or session they have moved to.
 * Only where the kernel shows environments in `/proc`; elsewhere nothing is found, and groups have to do. Who clears its environment is not found.
 */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const markVariable = "FORGELINE_PROCESS_OF";
/** Something that makes processes faster than they are ended would hold the runner. */
const roundsMax = 40;
const roundMs = 25;

/** Of a runner; of one of its jobs; of one step of it. Each begins with the one before it. */
export interface Marks {
  runner: string;
  job(leaseKey: string): string;
  step(leaseKey: string, position: number): string;
}

export function marksOf(runnerId: string): Marks {
  const runner = `${runnerId}:`;
  const job = (leaseKey: string) => `${runner}${leaseKey}:`;
  return { runner, job, step: (leaseKey, position) => `${job(leaseKey)}${String(position)}:` };
}

/** For the environment of a step. */
export function markEnvironment(mark: string): Record<string, string> {
  return { [markVariable]: mark };
}

/** What `grep` looks for in the files of environments. */
export function markText(mark: string): string {
  return `${markVariable}=${mark}`;
}

export interface MarkedProcess {
  pid: number;
  mark: string;
}

/** All whose mark begins so, but this process. */
export async function findMarked(beginning: string): Promise<MarkedProcess[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const found: MarkedProcess[] = [];
  for (const pid of pids) {
    const mark = pid === process.pid ? null : await markOf(pid);
    if (mark?.startsWith(beginning)) found.push({ pid, mark });
  }
  return found;
}

async function markOf(pid: number): Promise<string | null> {
  const environment = await readFile(`/proc/${String(pid)}/environ`, "latin1").catch(() => "");
  const entry = environment.split("\0").find((each) => each.startsWith(`${markVariable}=`));
  return entry?.slice(markVariable.length + 1) ?? null;
}

/**
 * Ends all whose mark begins so, unless `isKept`, those that they start meanwhile too. Resolves with how many there were; throws where there are
 * always more.
 */
export async function killMarked(
  beginning: string,
  isKept: (mark: string) => boolean = () => false,
): Promise<number> {
  const killed = new Set<number>();
  for (let round = 0; round < roundsMax; round += 1) {
    const left = (await findMarked(beginning)).filter(({ mark }) => !isKept(mark));
    if (left.length === 0) return killed.size;
    for (const { pid } of left) {
      killed.add(pid);
      signalProcess(pid, "SIGKILL");
    }
    await delay(roundMs);
  }
  throw new Error("processes of a job could not be ended: there are always more of them");
}

/** False where there is none, or none of this user. A negative id is a group. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
