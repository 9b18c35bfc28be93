import { expect, test } from "vitest";
import { findJob } from "@forgeline/cli/commands/pipelines/find-job.ts";

const jobs = [
  { id: "job_1", key: "build", name: "Build it", matrix: null },
  { id: "job_2", key: "unit", name: "unit on 20", matrix: { node: "20", os: "linux" } },
  { id: "job_3", key: "unit", name: "unit on 22", matrix: { node: "22", os: "linux" } },
];

test.each([
  ["build", "job_1"],
  ["Build it", "job_1"],
  ["unit (22, linux)", "job_3"],
  ["unit on 20", "job_2"],
  ["job_2", "job_2"],
])("%s is one job", (wanted, id) => {
  expect(findJob(jobs, wanted).id).toBe(id);
});

test("a key of several combinations, and a name that no job has, are answered with what there is", () => {
  expect(() => findJob(jobs, "unit")).toThrow(
    '"unit" is 2 jobs; choose one of them: unit (20, linux), unit (22, linux)',
  );
  expect(() => findJob(jobs, "ship")).toThrow(
    'the run has no job "ship"; its jobs: build, unit (20, linux), unit (22, linux)',
  );
});
