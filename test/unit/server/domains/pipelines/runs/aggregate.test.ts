import { describe, expect, it } from "vitest";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { aggregate } from "@forgeline/server/domains/pipelines/runs/aggregate.ts";

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
