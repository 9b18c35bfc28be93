import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { infraStop, JobStop, type StopRequest } from "@forgeline/runner/job/job-stop.ts";

const cancel: StopRequest = {
  status: "cancelled",
  reason: "user:ada",
  message: "Cancelled by ada.",
  graceMs: 10_000,
  force: false,
};
const timeout: StopRequest = { ...cancel, status: "failed", reason: "timeout" };
let stop: JobStop;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  stop = new JobStop();
});
afterEach(() => {
  stop.dispose();
  vi.useRealTimers();
});

test("the first request decides; a later one can only force", () => {
  stop.ask(cancel);
  stop.ask(timeout);
  expect([stop.request, stop.asked.aborted, stop.forced.aborted]).toEqual([cancel, true, false]);
  stop.ask({ ...timeout, force: true });
  expect([stop.request, stop.forced.aborted]).toEqual([cancel, true]);
});

test("what runs always gets five minutes after the grace", () => {
  stop.ask(cancel);
  vi.advanceTimersByTime(cancel.graceMs + 5 * 60_000 - 1);
  expect(stop.forced.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(stop.forced.aborted).toBe(true);
});

test("a lost lease ends everything, and is no request", () => {
  stop.revoke();
  expect([stop.request, stop.asked.aborted, stop.forced.aborted, stop.revoked.aborted]).toEqual([
    null,
    true,
    true,
    true,
  ]);
});

test("a runner that cannot go on leaves no time for more", () => {
  expect(infraStop(0, "gone")).toMatchObject({ status: "error", reason: "infra", force: true });
});
