/** One sync of a push mirror. Its schedule begins it, or a push, or somebody who asks for it; syncs of one never overlap. */
import { isCancellation, proxyActivities } from "@temporalio/workflow";
import type { PushMirrorSyncInput } from "@forgeline/schemas/push-mirrors/workflow.ts";
import type { MirrorActivities } from "../activities/mirrors.ts";
import { mirrorActivity } from "./profiles.ts";

export async function pushMirrorSync({ pushMirrorId, queue }: PushMirrorSyncInput): Promise<void> {
  const { syncPushMirror, giveUpPushMirror } = proxyActivities<MirrorActivities>({
    ...mirrorActivity,
    taskQueue: queue,
  });
  try {
    await syncPushMirror({ pushMirrorId });
  } catch (error) {
    if (!isCancellation(error)) await giveUpPushMirror({ pushMirrorId });
    throw error;
  }
}
