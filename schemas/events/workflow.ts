/** The workflow that keeps one follower of events running. */
import { z } from "zod";

export const followEventsWorkflowName = "followEvents";

/** Those that exist; each has a row in `event_followers`. */
export const followerNames = ["webhooks", "push_mirrors", "schedules", "runs", "notifications"] as const;
export type FollowerName = (typeof followerNames)[number];

/** One at a time, in each installation. */
export function followEventsWorkflowId(taskQueue: string, follower: FollowerName): string {
  return `follow:${taskQueue}:${follower}`;
}

/** Activities of followers have a queue of their own, so that they never wait for other work. */
export function followerTaskQueue(taskQueue: string): string {
  return `${taskQueue}-followers`;
}

export const FollowEvents = z.strictObject({ follower: z.enum(followerNames) });
export type FollowEvents = z.infer<typeof FollowEvents>;

/** Of the workflow: `queue` is that of its activities. */
export interface FollowEventsInput {
  follower: FollowerName;
  queue: string;
}
