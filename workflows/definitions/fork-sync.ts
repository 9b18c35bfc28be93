/** One sync of a fork with its upstream. */
import { isCancellation, proxyActivities } from "@temporalio/workflow";
import type { ForkSyncInput } from "@forgeline/schemas/fork-syncs/workflow.ts";
import type { MirrorActivities } from "../activities/mirrors.ts";
import { mirrorActivity } from "./profiles.ts";
import { syncFailed } from "./sync-failed.ts";

export async function forkSync({ repositoryId, syncId, queue }: ForkSyncInput): Promise<void> {
  const { syncFork, giveUpFork } = proxyActivities<MirrorActivities>({ ...mirrorActivity, taskQueue: queue });
  const problem = await syncFork({ repositoryId, syncId }).catch(async (error: unknown) => {
    if (!isCancellation(error)) await giveUpFork({ repositoryId, syncId });
    throw error;
  });
  if (problem) throw syncFailed(problem);
}
