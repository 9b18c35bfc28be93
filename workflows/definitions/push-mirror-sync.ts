/** One sync of a push mirror. Its schedule begins it, or a push, or somebody who asks for it; syncs of one never overlap. */
import { isCancellation, proxyActivities } from "@temporalio/workflow";
import type { PushMirrorSyncInput } from "@forgeline/schemas/push-mirrors/workflow.ts";
import type { MirrorActivities } from "../activities/mirrors.ts";
import { mirrorActivity } from "./profiles.ts";
import { syncFailed } from "./sync-failed.ts";

export async function pushMirrorSync({ pushMirrorId, queue }: PushMirrorSyncInput): Promise<void> {
  const { syncPushMirror, giveUpPushMirror } = proxyActivities<MirrorActivities>({
    ...mirrorActivity,
    taskQueue: queue,
  });
  const problem = await syncPushMirror({ pushMirrorId }).catch(async (error: unknown) => {
    if (!isCancellation(error)) await giveUpPushMirror({ pushMirrorId });
    throw error;
  });
  if (problem) throw syncFailed(problem);
}
