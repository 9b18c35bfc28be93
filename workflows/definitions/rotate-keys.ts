/** Replaces the key by which the instance encrypts: a new key, then everything encrypted again. */
import { proxyActivities, sleep } from "@temporalio/workflow";
import type { KeyRotationInput } from "@forgeline/schemas/keys/workflow.ts";
import type { KeyActivities } from "../activities/keys.ts";
import { patientActivity } from "./profiles.ts";

export async function rotateKeys({ rotationId, queue }: KeyRotationInput): Promise<void> {
  const activities = proxyActivities<KeyActivities>({ ...patientActivity, taskQueue: queue });
  const { waitMs } = await activities.addDataKey({ rotationId });
  if (waitMs > 0) await sleep(waitMs);
  await activities.encryptAgain({ rotationId });
  await activities.finishKeyRotation({ rotationId });
}
