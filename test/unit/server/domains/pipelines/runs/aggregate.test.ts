import { describe, expect, it } from "vitest";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { aggregate } from "@forgeline/server/domains/pipelines/runs/aggregate.ts";
import { runFailure } from "@forgeline/server/domains/pipelines/runs/run-failure.ts";

const of = (...statuses: Status[]) =>
  aggregate(statuses.map((status) => ({ status, allowed: false, warnings: 0 }))).status;

describe("aggregate", () => {
  it.each<[Status, Status[]]>([
    ["cancelling", ["running", "cancelling", "error"]],
    ["running", ["queued", "running", "failed"]],
    ["queued", ["waiting", "queued", "success"]],
    ["waiting", ["waiting", "success"]],
    ["error", ["failed", "error", "success"]],
    ["failed", ["failed", "cancelled", "success"]],
    ["cancelled", ["cancelled", "success"]],
    ["success", ["skipped", "success"]],
    ["skipped", ["skipped", "skipped"]],
    ["created", ["created"]],
  ])("is %s for %j", (wanted, statuses) => {
    expect(of(...statuses)).toBe(wanted);
  });

  it("counts an allowed failure as success with a warning", () => {
    const parts = [{ status: "failed" as const, allowed: true, warnings: 0 }];
    expect(aggregate(parts)).toEqual({ status: "success", warnings: 1 });
  });
});

describe("the reason of a run", () => {
  const job = (key: string, status: Status, more: object = {}) => {
    const told = { reason: "exit:1", message: `${key} broke.`, allowed: false, matrix: null };
    return { key, status, ...told, ...more };
  };

  it("names the first job with the status of the run, and counts the others that ended badly", () => {
    const jobs = [
      job("may", "failed", { allowed: true }),
      job("good", "success"),
      job("unit", "failed", { matrix: { node: "22" } }),
    ];
    const reason = "exit:1";
    expect(runFailure(jobs, "failed")).toEqual({ reason, message: "unit (22): unit broke." });
    const more = [...jobs, job("ship", "error")];
    expect(runFailure(more, "error")?.message).toBe("ship: ship broke. And 1 more job did not succeed.");
    expect(runFailure([...more, job("last", "failed")], "error")?.message).toContain("And 2 more jobs did");
    expect(runFailure(jobs, "cancelled")).toBeNull();
    expect(runFailure([job("may", "failed", { allowed: true })], "failed")).toBeNull();
  });
});
