/** Events of deployments (`docs/architecture/events.md`), recorded in the transaction of the change. */
import type { eventActions } from "@forgeline/schemas/events/event-kind.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import { readSnapshot } from "../runs/run-events.ts";
import { deploymentsOfAttempts } from "./deployments.store.ts";
import { presentFacts } from "./present.ts";

type DeploymentAction = (typeof eventActions.deployment)[number];

/** What followers are told of when the attempt has ended so. */
export function endOf(status: Status): DeploymentAction {
  if (status === "success") return "succeeded";
  return status === "cancelled" ? "cancelled" : "failed";
}

/** Of one run. Attempts that deploy nothing are passed over, so ask first whether one does: that saves the statements. */
export async function recordDeploymentEvents(
  tx: Transaction,
  pipelineId: string,
  { attemptIds, action }: { attemptIds: readonly string[]; action: DeploymentAction },
): Promise<void> {
  const rows = await deploymentsOfAttempts(tx, attemptIds);
  const pipeline = rows.length > 0 ? await readSnapshot(tx, pipelineId) : undefined;
  if (!pipeline) return;
  for (const [senderId, ofSender] of Map.groupBy(rows, (row) => row.actor_id)) {
    const events = ofSender.map((row) => {
      const subject = { deployment: presentFacts(row, row.environment), pipeline };
      return { kind: "deployment" as const, action, subject };
    });
    await recordRepositoryEvents(tx, { repositoryId: pipeline.repository_id, senderId }, events);
  }
}
