import { describe, expect, it } from "vitest";
import { EngineError } from "@forgeline/runner/engine/engine.ts";
import { failureOutcome, stepOutcome } from "@forgeline/runner/job/outcome.ts";
import { GitError } from "@forgeline/runner/workspace/git.ts";

const exited = (code: number) => ({ kind: "exited" as const, code });

describe("what an ended step means", () => {
  const stop = {
    status: "cancelled" as const,
    reason: "user:ada",
    message: "Cancelled.",
    graceMs: 1,
    force: false,
  };
  it.each([
    [exited(0), null, "success", null],
    [exited(7), null, "failed", "exit:7"],
    [exited(143), "timeout", "failed", "timeout"],
    [exited(143), "idle_timeout", "failed", "idle_timeout"],
    [exited(143), "stop", "cancelled", "user:ada"],
    [{ kind: "oom" as const }, null, "failed", "oom"],
    [{ kind: "container_lost" as const, message: "gone" }, null, "error", "infra"],
  ] as const)("%j ended by %s is %s/%s", (exit, endedBy, status, reason) => {
    expect(stepOutcome({ exit, endedBy }, stop)).toMatchObject({ status, reason });
  });

  it("keeps the engine's note about a limit", () => {
    const exit = { ...exited(1), note: "It reached the limit of processes." };
    expect(stepOutcome({ exit, endedBy: null }, null).message).toContain("limit of processes");
  });
});

describe("why a job could not run", () => {
  it.each([
    [new GitError("fatal: no", 128), "error", "clone"],
    [new EngineError("image_pull", "no"), "error", "image_pull"],
    [new EngineError("service_not_ready", "no"), "error", "service_not_ready"],
    [new EngineError("no_shell", "no"), "failed", "exit:127"],
    [new EngineError("engine_down", "no"), "error", "infra"],
    [new EngineError("outputs_closed", "no"), "failed", "outputs_closed"],
    [Object.assign(new Error("full"), { code: "ENOSPC" }), "error", "disk_full"],
  ])("%s is %s/%s", (error, status, reason) => {
    const outcome = failureOutcome(error, () => expect.unreachable());
    expect(outcome).toMatchObject({ status, reason });
  });

  it("names an id, and not the error, for what only the operator can understand", () => {
    let logged = "";
    const outcome = failureOutcome(new Error("password=hunter2"), (id) => (logged = id));
    expect(outcome.reason).toBe(`internal:${logged}`);
    expect(outcome.message).not.toContain("hunter2");
  });
});
