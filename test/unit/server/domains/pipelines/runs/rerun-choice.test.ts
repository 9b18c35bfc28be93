import { describe, expect, it } from "vitest";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { chooseJobs } from "@forgeline/server/domains/pipelines/runs/rerun-choice.ts";
import type { RunJob } from "@forgeline/server/domains/pipelines/runs/run-record.ts";
import { planJob, planOf } from "../../../../../support/runs.ts";

const row = (key: string, status: Status, more: Partial<RunJob> = {}): RunJob => ({
  id: `job_${key}`,
  stage_id: "",
  key,
  matrix: null,
  combination: 0,
  expanded: true,
  status,
  reason: null,
  message: null,
  allowed: false,
  attempts: 1,
  environment: null,
  ...more,
});

describe("what failed", () => {
  it.each<[boolean, string, Status, Partial<RunJob>]>([
    [false, "a success", "success", {}],
    [true, "a failure", "failed", { reason: "exit:1" }],
    [true, "an error", "error", { reason: "runner_lost" }],
    [true, "what was cancelled", "cancelled", { reason: "user:ada" }],
    [false, "a failure that is allowed", "failed", { reason: "exit:1", allowed: true }],
    [false, "what its own condition kept from running", "skipped", { reason: "when:branch" }],
    [true, "what a failure kept from running", "skipped", { reason: "stage_skipped" }],
    [true, "what a failed need kept from running", "skipped", { reason: "need_failed:build" }],
    [true, "what was skipped without a word", "skipped", {}],
    [true, "a failure whose reason looks like a condition", "failed", { reason: "when:branch" }],
  ])("%s: %s", (again, _what, status, more) => {
    const chosen = chooseJobs(planOf([planJob({ key: "x" })]), [row("x", status, more)], "failed");
    expect(chosen.map(({ key }) => key)).toEqual(again ? ["x"] : []);
  });
});

describe("which jobs", () => {
  const need = (job: string) => ({ job, optional: false });
  // build: a, lint · test: unit, docs (which needs nothing) · pack, beside test · ship, after pack
  const plan = planOf(
    [
      planJob({ key: "a", stage: "build" }),
      planJob({ key: "lint", stage: "build" }),
      planJob({ key: "unit", stage: "test" }),
      planJob({ key: "docs", stage: "test", needs: [] }),
      planJob({ key: "pack", stage: "pack", needs: [need("a")] }),
      planJob({ key: "ship", stage: "ship" }),
    ],
    {
      stages: [
        { name: "build", needs: null },
        { name: "test", needs: null },
        { name: "pack", needs: ["build"] },
        { name: "ship", needs: ["pack"] },
      ].map((stage) => ({ ...stage, title: null, when: [], timeoutMs: null, concurrency: null })),
    },
  );
  const rows = [
    row("a", "success"),
    row("lint", "failed", { allowed: true }),
    row("unit", "failed"),
    row("docs", "error"),
    row("pack", "success"),
    row("ship", "cancelled"),
  ];

  it.each([
    ["failed", ["unit", "docs", "ship"]],
    ["all", ["a", "lint", "unit", "docs", "pack", "ship"]],
    ["stage:build", ["a", "lint", "unit", "docs", "pack", "ship"]],
    ["stage:test", ["unit", "docs"]],
    ["stage:pack", ["pack", "ship"]],
    ["stage:absent", []],
    // What depends on it and did not succeed, by needs where there are some; what succeeded keeps what it has.
    ["job:a", ["a", "unit", "ship"]],
    ["job:job_lint", ["lint", "unit", "ship"]],
    ["job:docs", ["docs"]],
    ["job:pack", ["pack", "ship"]],
    ["job:absent", []],
  ])("%s", (from, expected) => {
    expect(
      chooseJobs(plan, rows, from)
        .map((chosen) => chosen.key)
        .toSorted(),
    ).toEqual(expected.toSorted());
  });
});
