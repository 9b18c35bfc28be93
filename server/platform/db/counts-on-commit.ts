/**
 * Metrics that are counted deep inside transactions: each counts what it changes where it changes it, and nothing of what is rolled back.
 * The catalogue says which they are (`onCommit`).
 */
import type { Counter, Histogram, Registry } from "prom-client";
import { metricCatalogue, type MetricName } from "@forgeline/schemas/metrics/catalogue.ts";
import type { MetricDefinition } from "@forgeline/schemas/metrics/definition.ts";
import { createCounter, createHistogram, type LabelOf, type NameOf } from "../declared-metrics.ts";

type Catalogue = typeof metricCatalogue;
type CountedName = {
  [Name in MetricName]: Catalogue[Name] extends { onCommit: true } ? Name : never;
}[MetricName];

/** By how much a counter rises (by default 1), or what a histogram observes. */
export type CountOnCommit = <Name extends CountedName>(
  name: Name,
  labels: Readonly<Record<LabelOf<Name>, string>>,
  value?: number,
) => void;

export interface CountsOnCommit {
  count: CountOnCommit;
}

/** All of them are shown from the start, those without labels as 0. */
export function createCountsOnCommit(registry: Registry): CountsOnCommit {
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  for (const [name, { type, onCommit }] of Object.entries<MetricDefinition>(metricCatalogue)) {
    if (!onCommit) continue;
    if (type === "counter") counters.set(name, createCounter(registry, name as NameOf<"counter">));
    else histograms.set(name, createHistogram(registry, name as NameOf<"histogram">));
  }
  return {
    count(name, labels, value = 1) {
      counters.get(name)?.inc(labels, value);
      histograms.get(name)?.observe(labels, value);
    },
  };
}
