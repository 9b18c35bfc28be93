/** Activities of mirrors of both directions, and of forks. Each may run twice. */
import { Context } from "@temporalio/activity";
import { SyncFork } from "@forgeline/schemas/fork-syncs/workflow.ts";
import { SyncMirror } from "@forgeline/schemas/mirrors/workflow.ts";
import { SyncPushMirror } from "@forgeline/schemas/push-mirrors/workflow.ts";
import type { ForkSyncs, MirrorSyncs, PushMirrorSyncs } from "@forgeline/server/domains/automation/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type MirrorActivities = ReturnType<typeof createMirrorActivities>;

export interface MirrorServices {
  mirrorSyncs: MirrorSyncs;
  pushMirrorSyncs: PushMirrorSyncs;
  forkSyncs: ForkSyncs;
}

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 3_000;

export function createMirrorActivities({ mirrorSyncs, pushMirrorSyncs, forkSyncs }: MirrorServices) {
  return {
    syncMirror: activity(SyncMirror, ({ repositoryId }) => sync(mirrorSyncs, repositoryId)),
    giveUpMirror: activity(SyncMirror, ({ repositoryId }) => mirrorSyncs.giveUp(repositoryId)),
    syncPushMirror: activity(SyncPushMirror, ({ pushMirrorId }) => sync(pushMirrorSyncs, pushMirrorId)),
    giveUpPushMirror: activity(SyncPushMirror, ({ pushMirrorId }) => pushMirrorSyncs.giveUp(pushMirrorId)),
    syncFork: activity(SyncFork, (wanted) =>
      whileBeating({ everyMs: heartbeatMs, details: { repositoryId: wanted.repositoryId } }, (signal) =>
        forkSyncs.sync({ ...wanted, signal }),
      ),
    ),
    giveUpFork: activity(SyncFork, ({ repositoryId }) => forkSyncs.giveUp(repositoryId)),
  };
}

function sync(syncs: Pick<MirrorSyncs, "sync">, id: string): Promise<string | null> {
  const work = Context.current().info.workflowExecution?.runId ?? "";
  return whileBeating({ everyMs: heartbeatMs, details: { id } }, (signal) =>
    syncs.sync(id, { work, signal }),
  );
}
