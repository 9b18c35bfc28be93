/** Which jobs of a stage worked in the shared workspace before another one, and what a rerun has to run again for it. */
import { expect, test } from "vitest";
import { queueReasonOf } from "@forgeline/server/domains/pipelines/runs/queue-reasons.ts";
import { sharedBefore } from "@forgeline/server/domains/pipelines/placements/shared-before.ts";
import { chooseJobs } from "@forgeline/server/domains/pipelines/runs/rerun-choice.ts";
import type { RunJob } from "@forgeline/server/domains/pipelines/runs/run-record.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { planJob, planOf } from "../../../../support/runs.ts";

const needs = (...jobs: string[]) => jobs.map((job) => ({ job, optional: false }));
const sharing = { stage: "build", workspace: "stage" } as const;
const plan = planOf([
  planJob({ key: "before", stage: "first" }),
  planJob({ key: "a", ...sharing, needs: needs("before") }),
  planJob({ key: "own", stage: "build", needs: needs("a") }),
  planJob({ key: "b", ...sharing, needs: needs("own") }),
  planJob({ key: "c", ...sharing }),
]);

test("through jobs of the stage with other workspaces too, and never through other stages", () => {
  expect([...sharedBefore(plan, "b")]).toEqual(["a"]);
  for (const key of ["a", "own", "c", "before"]) expect(sharedBefore(plan, key).size).toBe(0);
});

const row = (key: string, status: Status): RunJob => ({
  id: `job_${key}`,
  stage_id: "stg_1",
  key,
  matrix: null,
  combination: 0,
  expanded: true,
  allowed: false,
  attempts: 1,
  environment: null,
  status,
  reason: null,
  message: null,
});

test("a rerun of a job runs again what worked in its workspace before it", () => {
  const rows = plan.jobs.map(({ key }) => row(key, key === "b" ? "failed" : "success"));
  const chosen = (from: string) => chooseJobs(plan, rows, from).map(({ key }) => key);
  expect(chosen("failed")).toEqual(["a", "b"]);
  expect(chosen("job:b")).toEqual(["a", "b"]);
  expect(chosen("job:own")).toEqual(["a", "own", "b"]);
  expect(chosen("job:c")).toEqual(["c"]);
});

test("a queued job says whom it waits for, and never names labels that only the server knows", () => {
  const none = {
    priority: 0,
    asked: null,
    fitting: 0,
    usable: 0,
    free: 0,
    kept: 0,
    nearest: null,
    missing: null,
    ruledOut: null,
    unnamed: null,
    isShut: false,
    offline: null,
    offlineSince: null,
  };
  const reason = (more: object) =>
    queueReasonOf({ ...none, placed: null, before: 0, occupant: null, ...more });
  expect(reason({ free: 1, occupant: "install" })).toMatchObject({
    reason: "no_free_runner",
    message: "The jobs of this stage share a workspace and run one after another; install has it now.",
  });
  expect(reason({ placed: "big" })).toMatchObject({
    reason: "no_matching_runner",
    message:
      "The jobs of this stage run on big, which is not connected, has other labels now, or is in a group that this repository may not use.",
  });
  expect(reason({ nearest: "old", missing: ["@on:any", "gpu"] }).message).toBe(
    "No runner fits; the nearest, old, lacks gpu; it cannot take all jobs of a stage now (it is older, for one job only, or has too many such stages).",
  );
});
