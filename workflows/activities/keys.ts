/** Activities of rotations of the instance's key. Each may run twice. */
import { RotationInput } from "@forgeline/schemas/keys/workflow.ts";
import type { KeyRotation } from "@forgeline/server/domains/operation/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type KeyActivities = ReturnType<typeof createKeyActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 2_000;

export function createKeyActivities(rotation: KeyRotation) {
  return {
    addDataKey: activity(RotationInput, ({ rotationId }) =>
      whileBeating({ everyMs: heartbeatMs }, () => rotation.addKey(rotationId)),
    ),
    encryptAgain: activity(RotationInput, ({ rotationId }) =>
      whileBeating({ everyMs: heartbeatMs }, (signal) => rotation.encryptAgain(rotationId, signal)),
    ),
    finishKeyRotation: activity(RotationInput, ({ rotationId }) =>
      whileBeating({ everyMs: heartbeatMs }, () => rotation.finish(rotationId)),
    ),
  };
}
