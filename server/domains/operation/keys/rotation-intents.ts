/** Starts the workflow of a rotation, through the outbox. */
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { followerTaskQueue } from "@forgeline/schemas/events/workflow.ts";
import {
  keyRotationWorkflowId,
  keyRotationWorkflowName,
  type KeyRotationInput,
} from "@forgeline/schemas/keys/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";

/** Prefix of the keys of these intents. */
export const rotationKey = "key_rotation";
export const rotationKind = "start_key_rotation";

export async function addRotationIntent(tx: Transaction, rotationId: string): Promise<void> {
  await addIntent(tx, {
    kind: rotationKind,
    key: `${rotationKey}:${rotationId}`,
    group: rotationId,
    payload: { rotationId },
  });
}

/** Does nothing while it is running. Throws if Temporal does not answer. */
export async function startRotation(
  { temporal, taskQueue }: { temporal: Temporal; taskQueue: string },
  rotationId: string,
): Promise<void> {
  const input: KeyRotationInput = { rotationId, queue: followerTaskQueue(taskQueue) };
  try {
    await temporal.call((client) =>
      client.workflow.start(keyRotationWorkflowName, {
        taskQueue,
        workflowId: keyRotationWorkflowId(rotationId),
        args: [input],
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
