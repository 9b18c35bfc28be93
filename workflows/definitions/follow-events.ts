/** Keeps a follower of events running: one activity after the other, each for up to an hour. */
import { continueAsNew, proxyActivities } from "@temporalio/workflow";
import type { FollowEventsInput } from "@forgeline/schemas/events/workflow.ts";
import type { FollowerActivities } from "../activities/followers.ts";
import { followerActivity } from "./profiles.ts";

const maxRounds = 100;

export async function followEvents(input: FollowEventsInput): Promise<void> {
  const { runFollower } = proxyActivities<FollowerActivities>({
    ...followerActivity,
    taskQueue: input.queue,
  });
  for (let round = 0; round < maxRounds; round += 1) await runFollower({ follower: input.follower });
  await continueAsNew<typeof followEvents>(input);
}
