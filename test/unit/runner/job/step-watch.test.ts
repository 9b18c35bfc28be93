import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RunningStep, StepExit } from "@forgeline/runner/engine/engine.ts";
import { JobStop, type StopRequest } from "@forgeline/runner/job/job-stop.ts";
import { watchStep, type StepLimits } from "@forgeline/runner/job/step-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const noLimits: StepLimits = { timeoutMs: null, idleTimeoutMs: null, elapsedMs: 0, outlivesStop: false };
const ask = (more: Partial<StopRequest> = {}): StopRequest => ({
  status: "cancelled",
  reason: "user:ada",
  message: "Cancelled.",
  graceMs: 2_000,
  force: false,
  ...more,
});

/** A step that prints nothing and ends only at KILL, and what it was told so far. */
function watch(limits: Partial<StepLimits>, stop = new JobStop()) {
  const told: string[] = [];
  const { promise, resolve } = Promise.withResolvers<StepExit>();
  const step: RunningStep = {
    position: 0,
    outputFile: "/nowhere",
    ciOutputFile: "/nowhere",
    summaryFile: "/nowhere",
    annotationsFile: "/nowhere",
    planted: [],
    wait: () => promise,
    async kill(signal) {
      told.push(signal);
      if (signal === "KILL") resolve({ kind: "exited", code: 137 });
    },
  };
  const ended = watchStep(step, { ...noLimits, ...limits }, stop);
  return { told, ended, stop, after: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

describe("the time of a step", () => {
  it("ends it with TERM, and ten seconds later with KILL", async () => {
    const { told, ended, after } = watch({ timeoutMs: 60_000 });
    await after(59_999);
    expect(told).toEqual([]);
    await after(1);
    expect(told).toEqual(["TERM"]);
    await after(9_999);
    expect(told).toEqual(["TERM"]);
    await after(1);
    expect(told).toEqual(["TERM", "KILL"]);
    expect(await ended).toEqual({ exit: { kind: "exited", code: 137 }, endedBy: "timeout" });
  });

  it("counts what had passed before the agent was restarted", async () => {
    const late = watch({ timeoutMs: 60_000, elapsedMs: 50_000 });
    await late.after(9_999);
    expect(late.told).toEqual([]);
    await late.after(1);
    expect(late.told).toEqual(["TERM"]);
    const over = watch({ timeoutMs: 60_000, elapsedMs: 3_600_000 });
    await over.after(0);
    expect(over.told).toEqual(["TERM"]);
  });

  it("may be longer than a timer of Node can wait", async () => {
    const { told, after } = watch({ timeoutMs: 2 ** 32 });
    await after(1000);
    expect(told).toEqual([]);
  });
});

describe("a stop", () => {
  it("ends the step with the grace that was asked for, also when it was asked before the step began", async () => {
    for (const begun of [true, false]) {
      const stop = new JobStop();
      if (!begun) stop.ask(ask());
      const { told, ended, after } = watch({}, stop);
      if (begun) stop.ask(ask());
      expect(told).toEqual(["TERM"]);
      await after(1_999);
      expect(told).toEqual(["TERM"]);
      await after(1);
      expect(told).toEqual(["TERM", "KILL"]);
      expect((await ended).endedBy).toBe("stop");
      stop.dispose();
    }
  });

  it("leaves a step that runs always alone, until it is forced or has had its five minutes", async () => {
    const forced = watch({ outlivesStop: true });
    forced.stop.ask(ask());
    await forced.after(200_000);
    expect(forced.told).toEqual([]);
    forced.stop.ask(ask({ force: true }));
    expect(forced.told).toEqual(["TERM"]);
    forced.stop.dispose();
    const late = watch({ outlivesStop: true });
    late.stop.ask(ask());
    await late.after(301_999);
    expect(late.told).toEqual([]);
    await late.after(1);
    expect(late.told).toEqual(["TERM"]);
    late.stop.dispose();
  });

  it("does not change why a step ends that has run out of time already", async () => {
    const { told, ended, stop, after } = watch({ timeoutMs: 1_000 });
    await after(1_000);
    stop.ask(ask());
    expect(told).toEqual(["TERM"]);
    await after(10_000);
    expect(told).toEqual(["TERM", "KILL"]);
    expect((await ended).endedBy).toBe("timeout");
    stop.dispose();
  });
});
