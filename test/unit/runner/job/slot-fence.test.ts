import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SlotFence, type FencedJob } from "@forgeline/runner/job/slot-fence.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function fencedJob(isFenced = true) {
  const kept: number[] = [];
  let isOver = false;
  const job: FencedJob = {
    get isFenced() {
      return isFenced && !isOver;
    },
    begunAtMs: performance.now(),
    keepFor: (ms) => void kept.push(ms),
    fence: () => void (isOver = true),
  };
  return { job, kept, isOver: () => isOver };
}

test("a job ends 15 s before its lease is reclaimed, counted from the sending of the last answered heartbeat", () => {
  const one = fencedJob();
  const fence = new SlotFence(() => [one.job]);
  fence.welcomed(90_000);
  fence.begun(one.job, false);
  expect(one.kept).toEqual([75_000]);
  vi.advanceTimersByTime(10_000);
  const sentAtMs = performance.now();
  vi.advanceTimersByTime(2_000);
  fence.answered(sentAtMs);
  expect(one.kept).toEqual([75_000, 73_000]);
  vi.advanceTimersByTime(72_990);
  expect(one.isOver()).toBe(false);
  vi.advanceTimersByTime(10);
  expect(one.isOver()).toBe(true);
});

test("an answer to an earlier heartbeat than the last one gives no more time", () => {
  const one = fencedJob();
  const fence = new SlotFence(() => [one.job]);
  fence.welcomed(6_000);
  const early = performance.now();
  vi.advanceTimersByTime(1_000);
  fence.answered(performance.now());
  fence.answered(early);
  vi.advanceTimersByTime(4_999);
  expect(one.isOver()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(one.isOver()).toBe(true);
});

test("jobs without a slot outlive the time; one of an earlier process keeps what that had told its containers", () => {
  const free = fencedJob(false);
  const taken = fencedJob();
  const fence = new SlotFence(() => [free.job, taken.job]);
  fence.welcomed(90_000);
  fence.begun(free.job, false);
  fence.begun(taken.job, true);
  vi.advanceTimersByTime(80_000);
  expect([free.kept, free.isOver()]).toEqual([[], false]);
  expect([taken.kept, taken.isOver()]).toEqual([[], true]);
});

test("a job that began later has its own time", () => {
  const first = fencedJob();
  const jobs = [first.job];
  const fence = new SlotFence(() => jobs);
  fence.welcomed(90_000);
  fence.begun(first.job, false);
  vi.advanceTimersByTime(60_000);
  const second = fencedJob();
  jobs.push(second.job);
  fence.begun(second.job, false);
  vi.advanceTimersByTime(15_000);
  expect([first.isOver(), second.isOver()]).toEqual([true, false]);
  fence.clear();
});
