/** What jobs may ask for that not every runner has. A runner names those that it has when it connects. */
import { z } from "zod";

export const runnerFeatures = ["network_none", "network_allow", "privileged"] as const;
export const RunnerFeature = z.enum(runnerFeatures);
export type RunnerFeature = z.infer<typeof RunnerFeature>;

/** Of runners that can close the network of a job in this way. */
export const networkFeatures = { none: "network_none", proxy: "network_allow" } as const;

/** As a label among those that the queue compares; no label that somebody writes begins so. */
export function featureLabel(feature: RunnerFeature): string {
  return `@${feature}`;
}
