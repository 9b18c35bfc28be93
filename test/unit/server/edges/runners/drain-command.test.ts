/** What a runner is told about draining. */
import { expect, it } from "vitest";
import { drainCommand } from "@forgeline/server/edges/runners/drain-command.ts";

it("tells how long jobs may go on, also if the time is over, and nothing of it to one that takes jobs", () => {
  const told = (draining: boolean, drainMs: number | null) => drainCommand({ draining, drainMs }).deadlineMs;
  expect([told(true, null), told(true, 1500.4), told(true, -3), told(false, 1500)]).toEqual([
    null,
    1500,
    0,
    null,
  ]);
});
