/** What metrics and followers are told of jobs that have failed and of deployments that are over; it counts with the commit. */
import { failedStatuses, type Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { endOf, recordDeploymentEvents } from "../environments/deployment-events.ts";
import type { AttemptRow } from "./attempts.store.ts";
import { reasonWord } from "./reasons.ts";
import type { Transition } from "./run-record.ts";

/** Once for each change that was just saved. */
export function countFailures(tx: Transaction, transitions: readonly Transition[]): void {
  for (const { node, new: now, reason } of transitions) {
    const status = node === "job" && failedStatuses.find((one) => one === now);
    if (status) tx.count("forgeline_job_failures_total", { status, reason: reasonWord(reason) });
  }
}

/** Once for each attempt that has just ended; nothing for one that deploys nothing. */
export async function endDeployment(
  tx: Transaction,
  pipelineId: string,
  { attempt, outcome }: { attempt: Pick<AttemptRow, "id" | "deployingSeconds">; outcome: Status },
): Promise<void> {
  const { id, deployingSeconds } = attempt;
  if (deployingSeconds === null) return;
  tx.count("forgeline_deployment_seconds", { outcome }, deployingSeconds);
  await recordDeploymentEvents(tx, pipelineId, { attemptIds: [id], action: endOf(outcome) });
}

/** Once for each attempt that has just begun. */
export async function startDeployment(
  tx: Transaction,
  pipelineId: string,
  { id, deployingSeconds }: Pick<AttemptRow, "id" | "deployingSeconds">,
): Promise<void> {
  if (deployingSeconds === null) return;
  await recordDeploymentEvents(tx, pipelineId, { attemptIds: [id], action: "started" });
}
