/** Figures of `/metrics`, for tests of what is counted. */
import type { Registry } from "prom-client";

/** Of a text as Prometheus reads it: the figure of each series, such as `forgeline_offers_total{answer="accepted"}`. */
export function figuresOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line.startsWith("forgeline_"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** Of programs with these addresses, added up. */
export async function readFigures(addresses: readonly string[]): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const address of addresses) {
    const found = figuresOf(await (await fetch(`${address}/metrics`)).text());
    for (const [series, figure] of found) sums.set(series, (sums.get(series) ?? 0) + figure);
  }
  return sums;
}

/** By how much these have risen; a series that is not shown is 0. */
export function risen(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  series: readonly string[],
): Record<string, number> {
  return Object.fromEntries(series.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]));
}

/** Of one series, as `name{label="value"}`, in several registries together. */
export async function sumOf(series: string, registries: readonly Registry[]): Promise<number> {
  const figures = await Promise.all(registries.map(async (registry) => figuresOf(await registry.metrics())));
  return figures.reduce((sum, each) => sum + (each.get(series) ?? 0), 0);
}
