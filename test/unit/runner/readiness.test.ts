/** A runner on whose machine no job can run looks again until one can. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pino } from "pino";
import { createReadiness } from "@forgeline/runner/readiness.ts";

const logger = pino({ level: "silent" });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("says once that jobs can run now, also after an engine that did not answer", async () => {
  const answers = ["It may not raise limits.", new Error("no answer"), "It may not raise limits.", null];
  const obstacle = vi.fn<() => Promise<string | null>>(async () => {
    const answer = answers.shift() ?? null;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const onReady = vi.fn<() => void>();
  const readiness = createReadiness({ engine: { warnings: async () => [], obstacle }, logger }, onReady);
  await readiness.start();
  for (let minute = 1; minute <= 2; minute++) {
    expect(readiness.problem()).toBe("It may not raise limits.");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onReady).not.toHaveBeenCalled();
  }
  await vi.advanceTimersByTimeAsync(600_000);
  expect([readiness.problem(), obstacle.mock.calls.length, onReady.mock.calls.length]).toEqual([null, 4, 1]);
});

it("asks no more once the runner has ended", async () => {
  const obstacle = vi.fn<() => Promise<string | null>>(async () => "It may not raise limits.");
  const readiness = createReadiness(
    { engine: { warnings: async () => [], obstacle }, logger },
    () => undefined,
  );
  await readiness.start();
  readiness.clear();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(obstacle).toHaveBeenCalledTimes(1);
});
