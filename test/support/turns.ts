/** How the event loop of this process fared while something was done: how often others had their turn, and what the longest cost. */
export interface Turns<T> {
  result: T;
  turns: number;
  /** Of this thread's own work, in one turn: whatever else the machine does meanwhile does not count. */
  maxCpuMs: number;
}

export async function watchTurns<T>(work: () => Promise<T>): Promise<Turns<T>> {
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

/**
 * As `watchTurns`, of the best of three times: a garbage collection of all that this process holds may fall into a turn of one, while
 * work that gives no turns gives none each time.
 */
export async function watchTurnsThrice<T>(work: () => Promise<T>): Promise<Turns<T>> {
  const seen = [await watchTurns(work), await watchTurns(work), await watchTurns(work)];
  return seen.reduce((best, next) => (next.maxCpuMs < best.maxCpuMs ? next : best));
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
