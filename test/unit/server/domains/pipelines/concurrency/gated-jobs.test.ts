import { expect, test } from "vitest";
import { gatedJobs } from "@forgeline/server/domains/pipelines/concurrency/gated-jobs.ts";
import { approvalRule } from "../../../../../support/approvals.ts";
import { planJob, planOf } from "../../../../../support/runs.ts";

const need = (job: string) => [{ job, optional: false }];
const plan = planOf([
  planJob({ key: "build", stage: "build" }),
  planJob({ key: "check", stage: "build", approval: approvalRule() }),
  planJob({ key: "ship", stage: "deploy" }),
  planJob({ key: "quick", stage: "deploy", needs: need("build") }),
  planJob({ key: "tell", stage: "end", needs: need("ship") }),
]);
for (const stage of plan.stages) if (stage.name === "deploy") stage.approval = approvalRule();

const open = (gate: { stage: string; job: string | null }) => ({ ...gate, environment: null });
const sorted = (keys: ReadonlySet<string>) => [...keys].toSorted((a, b) => a.localeCompare(b));
const gated = (...approved: { stage: string; job: string | null }[]) =>
  sorted(gatedJobs(plan, { approved: approved.map(open), guarded: new Set() }));

test("a gate of their own, of their stage, or on the way to them", () => {
  expect(gated()).toEqual(["check", "quick", "ship", "tell"]);
});

test("an open gate lets them through, and those behind it that have no other", () => {
  expect(gated({ stage: "deploy", job: null })).toEqual(["check", "ship", "tell"]);
  expect(gated({ stage: "build", job: "check" })).toEqual(["quick", "ship", "tell"]);
  expect(gated({ stage: "deploy", job: null }, { stage: "build", job: "check" })).toEqual([]);
});

test("people who have to open an environment keep its jobs, and those behind them", () => {
  const free = planOf([
    planJob({ key: "ship", stage: "deploy" }),
    planJob({ key: "tell", stage: "end", needs: need("ship") }),
  ]);
  expect(sorted(gatedJobs(free, { approved: [], guarded: new Set(["ship"]) }))).toEqual(["ship", "tell"]);
  const elsewhere = { stage: "deploy", job: "check", environment: "production" };
  expect(sorted(gatedJobs(plan, { approved: [elsewhere], guarded: new Set() }))).toContain("check");
});
