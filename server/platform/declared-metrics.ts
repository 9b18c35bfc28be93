/** Makes the metrics that `schemas/metrics/catalogue.ts` declares; each once in a registry. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { metricCatalogue, type MetricName } from "@forgeline/schemas/metrics/catalogue.ts";
import type { MetricDefinition } from "@forgeline/schemas/metrics/definition.ts";

type Catalogue = typeof metricCatalogue;
export type NameOf<Type extends MetricDefinition["type"]> = {
  [Name in MetricName]: Catalogue[Name]["type"] extends Type ? Name : never;
}[MetricName];
export type LabelOf<Name extends MetricName> = Catalogue[Name] extends { labels: readonly (infer Label)[] }
  ? Label & string
  : never;

export function createCounter<Name extends NameOf<"counter">>(
  registry: Registry,
  name: Name,
): Counter<LabelOf<Name>> {
  return new Counter({ ...settingsOf(name), registers: [registry] });
}

/** `collect` sets the value again each time that metrics are read. */
export function createGauge<Name extends NameOf<"gauge">>(
  registry: Registry,
  name: Name,
  collect?: (gauge: Gauge<LabelOf<Name>>) => void | Promise<void>,
): Gauge<LabelOf<Name>> {
  const gauge: Gauge<LabelOf<Name>> = new Gauge({
    ...settingsOf(name),
    registers: [registry],
    ...(collect && { collect: () => collect(gauge) }),
  });
  return gauge;
}

export function createHistogram<Name extends NameOf<"histogram">>(
  registry: Registry,
  name: Name,
): Histogram<LabelOf<Name>> {
  return new Histogram({
    ...settingsOf(name),
    buckets: [...metricCatalogue[name].buckets],
    registers: [registry],
  });
}

function settingsOf<Name extends MetricName>(name: Name) {
  const { help, labels = [] }: MetricDefinition = metricCatalogue[name];
  return { name, help, labelNames: [...labels] as LabelOf<Name>[] };
}
