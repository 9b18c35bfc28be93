/** What priority a job has, and what that is worth. */
import { expect, it, test } from "vitest";
import { highestPriority, lowestPriority } from "@forgeline/schemas/pipeline-file/file-priority.ts";
import {
  backgroundPriority,
  minutesPerPoint,
  priorityOf,
} from "@forgeline/server/domains/pipelines/runs/priority.ts";
import { queueReasonOf } from "@forgeline/server/domains/pipelines/runs/queue-reasons.ts";

it("is that of the file, up to what the operator allows", () => {
  expect(priorityOf(7, { event: "push", max: 100 })).toBe(7);
  expect(priorityOf(7, { event: "schedule", max: 100 })).toBe(7);
  expect(priorityOf(100, { event: "push", max: 20 })).toBe(20);
  expect(priorityOf(100, { event: "push", max: 0 })).toBe(0);
  expect(priorityOf(-100, { event: "push", max: 0 })).toBe(-100);
});

it("is lower by default for runs that nobody waits for", () => {
  for (const event of ["push", "tag", "manual", "api"] as const)
    expect(priorityOf(undefined, { event, max: 100 })).toBe(0);
  for (const event of ["schedule", "mirror_sync", "fork_sync"] as const)
    expect(priorityOf(undefined, { event, max: 0 })).toBe(backgroundPriority);
});

it("stays in its bounds, whatever a plan says", () => {
  expect(priorityOf(1e6, { event: "push", max: 1e6 })).toBe(highestPriority);
  expect(priorityOf(-1e6, { event: "push", max: 100 })).toBe(lowestPriority);
});

test("the least important job has its turn before it would be given up", () => {
  const spanMinutes = (highestPriority - lowestPriority) * minutesPerPoint;
  expect(spanMinutes).toBeLessThan(24 * 60);
});

test("its place in the queue is told as a number and as a sentence", () => {
  const runners = {
    priority: 20,
    asked: null,
    fitting: 1,
    usable: 1,
    free: 0,
    kept: 0,
    nearest: null,
    missing: null,
    ruledOut: null,
    placed: null,
    occupant: null,
    unnamed: null,
    isShut: false,
    offline: null,
    offlineSince: null,
  };
  const at = (before: number, changes = {}) => queueReasonOf({ ...runners, before, ...changes });
  const busy = "Waits for a runner: all matching runners are busy.";
  expect(at(0)).toEqual({ reason: "no_free_runner", message: busy, position: 1 });
  const places = [1, 2, 3, 10, 11, 20, 99].map((before) => at(before).message.replace(`${busy} It is `, ""));
  expect(places).toEqual(
    ["2nd", "3rd", "4th", "11th", "12th", "21st", "100th"].map(
      (place) => `${place} in the queue of this repository.`,
    ),
  );
  expect(at(101)).toEqual({
    reason: "no_free_runner",
    message: `${busy} More than 100 jobs of this repository are before it.`,
    position: null,
  });
  const kept = `${busy} 2 of their slots hold containers that are kept open for a shell.`;
  expect(at(0, { kept: 2 }).message).toBe(kept);
  const capped =
    "It is 4th in the queue of this repository. Its file asks for priority 80, but the operator allows at most 20.";
  expect(at(3, { asked: 80 }).message).toBe(`${busy} ${capped}`);
  expect(at(0, { asked: 80 }).message).toBe(busy);
  expect(at(3, { free: 1 }).message).toBe("A matching runner is free and has been offered the job.");
  expect(at(3, { fitting: 0, usable: 0 })).toMatchObject({ reason: "no_matching_runner", position: 4 });
  expect(at(3, { fitting: 0, usable: 0 }).message).not.toContain("queue");
});
