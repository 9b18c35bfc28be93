/** Figures with a limit, and how long requests take. */
import type { Bench, Figure } from "./scenario.ts";
import { median, quantile } from "./statistics.ts";

export function atMost(
  what: string,
  { value, limit, unit, more = "" }: { value: number; limit: number; unit: string; more?: string },
): Figure {
  const shown = `${value < 10 ? value.toFixed(1).replace(".0", "") : value.toFixed(0)} ${unit}`.trim();
  return {
    what,
    value: more === "" ? shown : `${shown} (${more})`,
    limit: { text: `≤ ${limit} ${unit}`.trim(), met: value <= limit },
  };
}

/** Of a request by a client with kept connections, in milliseconds. */
export async function timeOf({ client }: Pick<Bench, "client">, path: string): Promise<number> {
  const beganMs = performance.now();
  await client.call("GET", path);
  return performance.now() - beganMs;
}

/** One after the other; the first ones do not count. */
export async function timesOf(bench: Bench, path: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = -bench.size.warmUps * 3; round < count; round++) {
    const ms = await timeOf(bench, path);
    if (round >= 0) times.push(ms);
  }
  return times;
}

/** The median, and in brackets what else there is to say of them. */
export function medianFigure(
  what: string,
  { times, limit, more = "" }: { times: readonly number[]; limit: number; more?: string },
): Figure {
  const p99 = `99th percentile ${quantile(times, 0.99).toFixed(0)} ms`;
  return atMost(what, {
    value: median(times),
    limit,
    unit: "ms",
    more: more === "" ? p99 : `${p99}; ${more}`,
  });
}
