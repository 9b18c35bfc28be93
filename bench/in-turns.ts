/** Servers under the same light client, one after the other in turns, so that what else the machine does hits all alike. */
import { load, type LoadResult, type LoadTarget } from "./load.ts";
import { processorMs } from "./processor.ts";
import { median } from "./statistics.ts";

export interface Contender extends LoadTarget {
  pid: number;
}

export interface Measured extends Omit<LoadResult, "requests"> {
  /** Processor time of the server's process for one request. */
  processorUs: number;
}

export interface Turns {
  connections: number;
  /** Rounds before those that count. */
  warmUps: number;
  rounds: number;
  seconds: number;
}

/** Medians of the rounds, in the order of the contenders. */
export async function inTurns(contenders: readonly Contender[], turns: Turns): Promise<Measured[]> {
  const { connections, warmUps, rounds, seconds } = turns;
  const results: Measured[][] = contenders.map(() => []);
  for (let round = -warmUps; round < rounds; round++)
    for (const [i, contender] of contenders.entries()) {
      const before = await processorMs(contender.pid);
      const { requests, ...result } = await load(contender, { connections, seconds });
      const processorUs = (((await processorMs(contender.pid)) - before) * 1000) / requests;
      if (round >= 0) results[i]?.push({ ...result, processorUs });
    }
  return results.map((all) => ({
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    medianMs: median(all.map(({ medianMs }) => medianMs)),
    p99Ms: median(all.map(({ p99Ms }) => p99Ms)),
    processorUs: median(all.map((one) => one.processorUs)),
    body: all.at(-1)?.body ?? "",
  }));
}
