/** What jobs may ask for that not every runner has. A runner names those that it has when it connects. */
import { z } from "zod";

/** `lease_v2`: it knows secrets, identity tokens, caches, artifacts and reports in a lease, which older runners ignore. */
export const runnerFeatures = ["network_none", "network_allow", "privileged", "lease_v2"] as const;
export const RunnerFeature = z.enum(runnerFeatures);
export type RunnerFeature = z.infer<typeof RunnerFeature>;

/** Of runners that can close the network of a job in this way. */
export const networkFeatures = { none: "network_none", proxy: "network_allow" } as const;

/** As a label among those that the queue compares; no label that somebody writes begins so. */
export function featureLabel(feature: RunnerFeature): string {
  return `@${feature}`;
}
