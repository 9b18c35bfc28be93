/** Activities of mirrors. Each may run twice. */
import { Context } from "@temporalio/activity";
import { SyncMirror } from "@forgeline/schemas/mirrors/workflow.ts";
import type { MirrorSyncs } from "@forgeline/server/domains/automation/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type MirrorActivities = ReturnType<typeof createMirrorActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 3_000;

export function createMirrorActivities(syncs: MirrorSyncs) {
  return {
    syncMirror: activity(SyncMirror, ({ repositoryId }) => {
      const work = Context.current().info.workflowExecution?.runId ?? "";
      return whileBeating({ everyMs: heartbeatMs, details: { repositoryId } }, (signal) =>
        syncs.sync(repositoryId, { work, signal }),
      );
    }),
    giveUpMirror: activity(SyncMirror, ({ repositoryId }) => syncs.giveUp(repositoryId)),
  };
}
