import { describe, expect, it } from "vitest";
import type { RunGraph } from "@forgeline/schemas/pipelines/workflow.ts";
import type { JobStop } from "@forgeline/schemas/pipelines/run-activities.ts";
import {
  applyCancel,
  applyFact,
  applyForced,
  applyStarted,
  applyStopped,
  newRunState,
  type GraphJob,
  type RunState,
} from "@forgeline/workflows/definitions/run-state.ts";

/** A run of one job, whose attempt `attempt` is under way. */
function running(job: Partial<GraphJob> = {}, attempt = 1): RunState {
  const graph: RunGraph = {
    pipelineId: "p",
    timeoutMs: 100_000,
    limits: { graceMs: 20, marginMs: 30, alwaysMs: 400 },
    stages: [{ id: "s", name: "s", needs: null, timeoutMs: null, afterOrder: false }],
    jobs: [
      {
        id: "j",
        key: "j",
        stage: "s",
        needs: null,
        allowFailure: false,
        rerunIfLost: true,
        retry: { max: 1, on: ["any"], delayMs: 50, factor: 1, maxDelayMs: 50 },
        timeoutMs: 400,
        queueTimeoutMs: 300,
        always: false,
        alwaysSteps: false,
        kept: null,
        attempts: attempt - 1,
        ...job,
      },
    ],
  };
  const state = newRunState(graph, 0);
  applyStarted(state, [{ jobId: "j", status: "queued", reason: null }], 0);
  applyFact(state, fact({ kind: "started", status: "running", attempt }), 0);
  return state;
}

type Fact = Parameters<typeof applyFact>[1];
const fact = (more: Partial<Fact> = {}): Fact => ({
  kind: "done",
  jobId: "j",
  attempt: 1,
  epoch: 1,
  status: "success",
  reason: null,
  exitCode: null,
  begun: true,
  ...more,
});
const lost = { kind: "reclaimed", status: "error", reason: "runner_lost" } as const;
const failed = { status: "failed", reason: "exit:3", exitCode: 3 } as const;

/** Phase and status of the job once this was said. */
function after(state: RunState, said: Partial<Fact>): string {
  applyFact(state, fact(said), 100);
  const { phase, status, reason, allowed } = state.jobs["j"] ?? {};
  if (phase !== "final") return phase ?? "";
  return [status, ...(reason ? [reason] : []), ...(allowed ? ["allowed"] : [])].join(" ");
}

const noRetry = { max: 0, on: [], delayMs: 0, factor: 1, maxDelayMs: 0 };

describe("a further try", () => {
  it.each([
    ["delayed", true, true, lost],
    ["delayed", true, false, lost],
    ["delayed", false, false, lost],
    ["error runner_lost", false, true, lost],
    ["error infra", false, true, { status: "error", reason: "infra" } as const],
    // Its own failures are what its author asked to try again.
    ["delayed", false, true, failed],
  ])("%s with rerun_if_lost: %s, begun: %s", (expected, rerunIfLost, begun, end) => {
    expect(after(running({ rerunIfLost }), { ...end, begun })).toBe(expected);
  });

  it("is not made while the run or the stage is ended, nor of another stage's end", () => {
    const cancelled = running();
    applyCancel(cancelled, { reason: "user:ada", force: false }, 50);
    expect(after(cancelled, lost)).toBe("error runner_lost");
    for (const [stage, expected] of [
      ["s", "error runner_lost"],
      ["other", "delayed"],
    ] as const) {
      const state = running();
      state.stageEnding[stage] = { status: "failed", reason: "timeout", force: false, at: 50 };
      expect(after(state, lost)).toBe(expected);
    }
  });

  it("counts those of this sequence only", () => {
    const state = running({}, 6);
    expect(after(state, { ...lost, attempt: 6 })).toBe("delayed");
    applyStarted(state, [{ jobId: "j", status: "queued", reason: null }], 200);
    expect(after(state, { ...lost, attempt: 7 })).toBe("error runner_lost");
  });
});

describe("a failure", () => {
  it.each([
    ["failed exit:3 allowed", true, failed],
    ["failed exit:3", false, failed],
    ["failed exit:3 allowed", [1, 3], failed],
    ["failed exit:3", [1], failed],
    ["failed timeout", [1, 3], { status: "failed", reason: "timeout", exitCode: null } as const],
    ["failed timeout allowed", true, { status: "failed", reason: "timeout", exitCode: null } as const],
    ["error config", true, { status: "error", reason: "config" } as const],
    ["success", true, {}],
  ])("is %s with allow_failure: %j", (expected, allowFailure, end) => {
    expect(after(running({ allowFailure, retry: noRetry }), end)).toBe(expected);
  });
});

describe("a result that crosses a stop", () => {
  const stopped = (stop: Partial<JobStop>, job: Partial<GraphJob> = {}) => {
    const state = running({ retry: noRetry, ...job });
    const asked = { jobId: "j", attempt: 1, force: false, queuedOnly: false };
    const stops = [{ ...asked, status: "cancelled", reason: "user:ada", ...stop } as const];
    applyStopped(state, { asked: stops, answers: [{ jobId: "j", result: "stopping" }] }, 50);
    return state;
  };

  it("is cancelled with the run, but a success in spite of a time limit", () => {
    const limit = { status: "failed", reason: "timeout" } as const;
    expect(after(stopped({}), {})).toBe("cancelled user:ada");
    expect(after(stopped({}), failed)).toBe("cancelled user:ada");
    expect(after(stopped(limit), {})).toBe("success");
    expect(after(stopped(limit), failed)).toBe("failed timeout");
    expect(after(stopped(limit, { allowFailure: true }), failed)).toBe("failed timeout allowed");
  });

  it("is its own failure where only another combination of its matrix has failed", () => {
    const failFast = { reason: "fail_fast" };
    expect(after(stopped(failFast), { ...failed, own: true })).toBe("failed exit:3");
    expect(after(stopped(failFast), { own: true })).toBe("cancelled fail_fast");
    expect(after(stopped({}), { ...failed, own: true })).toBe("cancelled user:ada");
  });

  it("stays as it was if the job was kept open after it", () => {
    expect(after(stopped({}), { ...failed, decided: true })).toBe("failed exit:3");
    expect(after(stopped({}, { allowFailure: true }), { ...failed, decided: true })).toBe(
      "failed exit:3 allowed",
    );
  });

  it("may come as long as the grace lasts, longer where steps run always and nobody forces", () => {
    const deadline = (state: RunState) => state.jobs["j"]?.stop?.deadline;
    expect(deadline(stopped({}))).toBe(100);
    expect(deadline(stopped({}, { alwaysSteps: true }))).toBe(500);
    expect(deadline(stopped({ force: true }, { alwaysSteps: true }))).toBe(100);
  });

  it("ends the job when it is forced, unless it had ended already", () => {
    const state = stopped({});
    const stop = { jobId: "j", attempt: 1, force: true, queuedOnly: false } as const;
    const forced = [{ ...stop, status: "cancelled", reason: "user:ada" } as const];
    applyForced(state, forced, [{ jobId: "j", result: "over" }]);
    expect(state.jobs["j"]).toMatchObject({ phase: "running", stop: { deadline: Number.MAX_SAFE_INTEGER } });
    applyForced(state, forced, [{ jobId: "j", result: "ended" }]);
    expect(state.jobs["j"]).toMatchObject({ phase: "final", status: "cancelled" });
  });
});

describe("facts", () => {
  it("of an attempt before, and of a job that is over, change nothing", () => {
    const state = running({ retry: noRetry }, 2);
    expect(after(state, { ...failed, attempt: 1 })).toBe("running");
    expect(after(state, { attempt: 2 })).toBe("success");
    expect(after(state, { ...failed, attempt: 2 })).toBe("success");
    expect(after(state, { kind: "started", status: "running", attempt: 2 })).toBe("success");
  });
});
