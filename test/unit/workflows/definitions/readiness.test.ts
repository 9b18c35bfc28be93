import { describe, expect, it } from "vitest";
import { newMemory, readiness } from "@forgeline/workflows/definitions/readiness.ts";
import { newRunState, type GraphJob } from "@forgeline/workflows/definitions/run-state.ts";

const retry = { max: 0, on: [], delayMs: 0, factor: 1, maxDelayMs: 0 };
type Ended = NonNullable<GraphJob["kept"]>["status"];

const job = (key: string, status: Ended | null, needs: GraphJob["needs"]): GraphJob => ({
  id: key,
  key,
  stage: "s",
  needs,
  retry,
  rerunIfLost: true,
  allowFailure: false,
  timeoutMs: 400,
  queueTimeoutMs: 300,
  always: false,
  alwaysSteps: false,
  attempts: 0,
  kept: status && { status, reason: null, allowed: false },
});

/** Of a job that needs others, which have ended so; null: not yet. */
function readyAfter(ends: Record<string, Ended | null>, optional = false) {
  const needs = Object.keys(ends).map((name) => ({ job: name, optional }));
  const wanted = job("x", null, needs);
  const state = newRunState(
    {
      pipelineId: "p",
      timeoutMs: 100_000,
      limits: { graceMs: 20, marginMs: 30, alwaysMs: 400 },
      stages: [{ id: "s", name: "s", needs: null, timeoutMs: null, afterOrder: false }],
      jobs: [...Object.entries(ends).map(([key, status]) => job(key, status, [])), wanted],
    },
    0,
  );
  return readiness(state, wanted, newMemory(state));
}

describe("a job that needs others", () => {
  it("waits until all have ended", () => {
    expect(readyAfter({ a: "failed", b: null })).toBeNull();
    expect(readyAfter({ a: "success", b: "success" })).toMatchObject({ outcome: "success", blocked: null });
  });

  it("goes without one that was skipped only where it is optional", () => {
    const blocked = { reason: "need_skipped", by: "a" };
    expect(readyAfter({ a: "skipped", b: "success" })).toMatchObject({ outcome: "success", blocked });
    expect(readyAfter({ a: "skipped", b: "success" }, true)).toMatchObject({ blocked: null });
  });

  it("has failed when one has failed, whatever was cancelled or skipped besides", () => {
    const failure = { outcome: "failure", blocked: { reason: "need_failed", by: "f" } };
    expect(readyAfter({ f: "failed", c: "cancelled", s: "skipped" })).toMatchObject(failure);
    expect(readyAfter({ s: "skipped", c: "cancelled", f: "error" })).toMatchObject(failure);
    expect(readyAfter({ c: "cancelled" })).toMatchObject({ outcome: "cancelled", blocked: { by: "c" } });
  });
});
