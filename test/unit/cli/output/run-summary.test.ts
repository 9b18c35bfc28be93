import { expect, test } from "vitest";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderRunEnd } from "@forgeline/cli/output/run-summary.ts";

const spans = { started_at: null, finished_at: null, duration: null };

function job(key: string, more: object = {}, step: object = {}): object {
  const steps = [
    { name: "test", status: "failed", exit_code: 7, reason: "exit:7", started_at: "x", ...step },
  ];
  const attempts = [{ runner: { name: "r" }, warnings: [], warnings_omitted: 0, steps }];
  return {
    id: `job_${key}`,
    key,
    name: key,
    matrix: null,
    status: "failed",
    allowed_failure: false,
    ...spans,
    attempts,
    ...more,
  };
}

/** The lines about jobs and what to do next. */
function endOf(jobs: readonly object[], children: readonly object[] = []): string[] {
  const stages = [{ name: "main", ...spans, jobs }];
  const run = { number: 5, status: "failed", warnings: 0, error: null, ...spans, stages, children };
  return renderRunEnd("acme/shop", run as unknown as Schemas["Pipeline"])
    .split("\n")
    .map((line) => line.trim())
    .slice(2);
}

test("says which limit ended a step, and what the file allows to fail; the log is that of another job", () => {
  const timeout = { exit_code: 143, reason: "timeout", message: "The step exceeded its time limit." };
  const jobs = [job("lint", { allowed_failure: true }), job("unit", { matrix: { node: "20" } }, timeout)];
  expect(endOf(jobs)).toEqual([
    "",
    "✗ lint › test  exit code 7 (allowed to fail)",
    "✗ unit (20) › test  The step exceeded its time limit.",
    "",
    'log        forgeline pipeline logs 5 --job "unit (20)" -R acme/shop',
    "run again  forgeline pipeline rerun 5 -w -R acme/shop",
  ]);
  const alike = job("other", { name: "unit (20)" });
  expect(endOf([...jobs, alike])).toContain(
    "log        forgeline pipeline logs 5 --job job_unit -R acme/shop",
  );
});

test("leads to the run that a job started, which has no log of its own", () => {
  const child = { job: "job_docs", repository: "acme/docs", number: 9, status: "failed" };
  const attempts = [{ runner: null, warnings: [], warnings_omitted: 0, steps: [] }];
  const starts = job("docs", { attempts, message: "The pipeline that it started failed." });
  expect(endOf([starts], [child])).toEqual([
    "",
    "✗ docs  The pipeline that it started failed.",
    "",
    "it started forgeline pipeline view 9 -R acme/docs",
    "run again  forgeline pipeline rerun 5 -w -R acme/shop",
  ]);
});
