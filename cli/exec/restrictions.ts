/** What a file forbids its jobs and nothing holds them to here. Pure. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";

export interface Lifted {
  openNetwork: boolean;
}

/** Why the job does not run; null if it does. */
export function unheldRestriction(
  job: PlanJob,
  { openNetwork }: Lifted,
): { reason: string; message: string } | null {
  if (!job.network || openNetwork) return null;
  const message =
    "Its file restricts what it may reach (`network`), and nothing is filtered here: use --open-network to run it all the same.";
  return { reason: "network_refused", message };
}

/** As it runs here. */
export function withoutRestrictions({ network: _network, ...job }: PlanJob): PlanJob {
  return job;
}
