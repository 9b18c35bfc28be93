/** One sync of a mirror. Its schedule begins it, or somebody who asks for it; syncs of one mirror never overlap. */
import { isCancellation, proxyActivities } from "@temporalio/workflow";
import type { MirrorSyncInput } from "@forgeline/schemas/mirrors/workflow.ts";
import type { MirrorActivities } from "../activities/mirrors.ts";
import { mirrorActivity } from "./profiles.ts";
import { syncFailed } from "./sync-failed.ts";

export async function mirrorSync({ repositoryId, queue }: MirrorSyncInput): Promise<void> {
  const { syncMirror, giveUpMirror } = proxyActivities<MirrorActivities>({
    ...mirrorActivity,
    taskQueue: queue,
  });
  const problem = await syncMirror({ repositoryId }).catch(async (error: unknown) => {
    if (!isCancellation(error)) await giveUpMirror({ repositoryId });
    throw error;
  });
  if (problem) throw syncFailed(problem);
}
