/** What the metrics are told of jobs that have failed and of deployments that are over; counted with the commit. */
import { failedStatuses, type Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
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
export function countDeployment(
  tx: Transaction,
  { deployingSeconds }: Pick<AttemptRow, "deployingSeconds">,
  outcome: Status,
): void {
  if (deployingSeconds !== null) tx.count("forgeline_deployment_seconds", { outcome }, deployingSeconds);
}
