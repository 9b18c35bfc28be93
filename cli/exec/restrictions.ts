/** What a file asks for and nobody decides here but the developer: networks that are closed, and rights on the machine. Pure. */
import { asksForProcess, processLabel } from "@forgeline/schemas/runners/executor.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";

export interface Permitted {
  /** Jobs whose file closes their network run with an open one. */
  openNetwork: boolean;
  /** Jobs may have all rights on this machine. */
  privileged: boolean;
}

/** Why the job does not run; null if it does. */
export function refusedHere(
  job: PlanJob,
  { openNetwork, privileged }: Permitted,
): { reason: string; message: string } | null {
  if (asksForProcess(job.runnerLabels))
    return {
      reason: "executor_refused",
      message: `It runs without a container (runner label ${processLabel}), and here jobs run in containers only.`,
    };
  if (job.network && !openNetwork)
    return {
      reason: "network_refused",
      message:
        "Its file restricts what it may reach (`network`), and nothing is filtered here: use --open-network to run it all the same.",
    };
  if (job.privileged && !privileged)
    return {
      reason: "privileged_refused",
      message: "It would be root on this machine (`privileged`): use --privileged to run it.",
    };
  return null;
}

/** As it runs here. */
export function asRunHere({ network: _network, ...job }: PlanJob): PlanJob {
  return job;
}
