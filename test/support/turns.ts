import { collectGarbage } from "./collect-garbage.ts";

/** How the event loop of this process fared while something was done: how often others had their turn, and what the longest cost. */
export interface Turns<T> {
  result: T;
  turns: number;
  /** Of this thread's own work, in one turn: whatever else the machine does meanwhile does not count. */
  maxCpuMs: number;
}

export async function watchTurns<T>(work: () => Promise<T>): Promise<Turns<T>> {
  // Otherwise a collection of everything that this process holds may fall into one turn, and take longer than the work.
  collectGarbage();
  let [turns, maxCpuMs] = [0, 0];
  let before = process.threadCpuUsage();
  const see = () => {
    maxCpuMs = Math.max(maxCpuMs, cpuMsSince(before));
    before = process.threadCpuUsage();
  };
  const count = () => {
    see();
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  try {
    const result = await work();
    see();
    return { result, turns, maxCpuMs };
  } finally {
    clearImmediate(next);
  }
}

/** Of this thread, for work that is done at once. */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return cpuMsSince(before);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
