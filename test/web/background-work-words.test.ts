/** Background work has a name in plain words: the type checker asks for one for each activity and each follower of events. */
import { expect, test } from "vitest";
import type { FollowerName } from "@forgeline/schemas/events/workflow.ts";
import type {
  createActivities,
  createFollowingActivities,
  createMirroringActivities,
  createStreamingActivities,
} from "@forgeline/workflows/activities/activities.ts";
import { text } from "../../web/src/text/background-work.ts";

type Activities = ReturnType<typeof createActivities> &
  ReturnType<typeof createFollowingActivities> &
  ReturnType<typeof createMirroringActivities> &
  ReturnType<typeof createStreamingActivities>;

const steps: Record<keyof Activities | "decision", string> = text.steps;
const followers: Record<FollowerName, string> = text.followers;

test("no name is that of code", () => {
  const names = [...Object.values(steps), ...Object.values(followers)];
  expect(names.filter((name) => !/^[a-z]+(,? [a-z]+)+$/.test(name))).toEqual([]);
});
