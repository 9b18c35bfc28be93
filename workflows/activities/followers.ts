/** Activities of followers of events. Each may run twice. */
import { FollowEvents } from "@forgeline/schemas/events/workflow.ts";
import type { FollowerRunner } from "@forgeline/server/domains/automation/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type FollowerActivities = ReturnType<typeof createFollowerActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 1_000;

export function createFollowerActivities(followers: FollowerRunner) {
  return {
    runFollower: activity(FollowEvents, ({ follower }) =>
      whileBeating({ everyMs: heartbeatMs }, (signal) => followers.run(follower, signal)),
    ),
  };
}
