/** `network` of a job in the plan. */
import type { FileNetwork } from "@forgeline/schemas/pipeline-file/file-network.ts";
import type { PlanNetwork } from "@forgeline/schemas/pipeline-file/plan-network.ts";

/** Absent where the job may reach whatever its runner permits. */
export function planNetwork(network: FileNetwork | undefined): { network?: PlanNetwork } {
  if (network === undefined || network === "open") return {};
  return { network: { allow: network === "none" ? [] : [...network.allow] } };
}
