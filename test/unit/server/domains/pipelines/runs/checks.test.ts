/** What became of a required run or job. */
import { expect, it } from "vitest";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { stateOfCheck, type JudgedRun } from "@forgeline/server/domains/pipelines/runs/checks.ts";

const run = (status: Status, jobs: [Status, string?][] = [], reason: string | null = null): JudgedRun => ({
  status,
  reason,
  jobs: jobs.map(([of, why = null]) => ({ key: "test", status: of, reason: why })),
});

it("takes a run for what it is", () => {
  expect(stateOfCheck(undefined, undefined)).toBe("missing");
  for (const [status, state] of [
    ["success", "passed"],
    ["skipped", "skipped"],
    ["failed", "failed"],
    ["error", "failed"],
    ["cancelled", "failed"],
    ["created", "running"],
    ["awaiting_approval", "running"],
    ["cancelling", "running"],
  ] as const)
    expect([status, stateOfCheck(run(status), undefined)]).toEqual([status, state]);
  expect(stateOfCheck(run("skipped", [], "skip_ci"), undefined)).toBe("missing");
});

it("takes a job for itself, and all its combinations together", () => {
  expect(stateOfCheck(run("running", [["success"]]), "test")).toBe("passed");
  expect(stateOfCheck(run("running", [["success"], ["running"]]), "test")).toBe("running");
  expect(stateOfCheck(run("failed", [["success"], ["failed"]]), "test")).toBe("failed");
  expect(stateOfCheck(run("success", [["success"], ["skipped", "when:paths"]]), "test")).toBe("passed");
  expect(stateOfCheck(run("success", [["success"]]), "absent")).toBe("missing");
  expect(stateOfCheck(run("error"), "test")).toBe("failed");
  expect(stateOfCheck(run("skipped", [], "skip_ci"), "test")).toBe("missing");
});

it("does not take what was not reached for skipped", () => {
  expect(stateOfCheck(run("success", [["skipped", "when:paths"]]), "test")).toBe("skipped");
  expect(stateOfCheck(run("failed", [["skipped", "when:paths"]]), "test")).toBe("skipped");
  expect(stateOfCheck(run("success", [["skipped", "need_skipped:lint"]]), "test")).toBe("skipped");
  expect(stateOfCheck(run("failed", [["skipped", "need_skipped:lint"]]), "test")).toBe("failed");
  expect(stateOfCheck(run("failed", [["skipped", "need_failed:lint"]]), "test")).toBe("failed");
  expect(stateOfCheck(run("failed", [["skipped", "stage_skipped"]]), "test")).toBe("failed");
});
