/** The workflows that keep followers running: started by every worker, and one of each is enough. */
import {
  followEventsWorkflowId,
  followEventsWorkflowName,
  followerNames,
  type FollowerName,
  type FollowEventsInput,
} from "@forgeline/schemas/events/workflow.ts";
import type { Temporal } from "../../../platform/temporal.ts";

export interface FollowerWorkflows {
  /** Starts those that do not run. Throws if Temporal does not answer. */
  keep(): Promise<void>;
}

export function createFollowerWorkflows(deps: {
  temporal: Temporal;
  taskQueue: string;
  /** Of the activities. */
  queue: string;
}): FollowerWorkflows {
  const { temporal, taskQueue, queue } = deps;

  async function start(follower: FollowerName): Promise<void> {
    const input: FollowEventsInput = { follower, queue };
    await temporal.call((client) =>
      client.workflow.start(followEventsWorkflowName, {
        taskQueue,
        workflowId: followEventsWorkflowId(taskQueue, follower),
        workflowIdConflictPolicy: "USE_EXISTING",
        args: [input],
      }),
    );
  }
  return {
    async keep() {
      for (const follower of followerNames) await start(follower);
    },
  };
}
