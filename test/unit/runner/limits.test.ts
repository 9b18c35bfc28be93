import { describe, expect, it } from "vitest";
import { readEnvironment } from "@forgeline/runner/config.ts";
import { jobLimits, type Machine } from "@forgeline/runner/limits.ts";

const gib = 1024 ** 3;
const machine: Machine = {
  memoryBytes: 20 * gib,
  cores: 8,
  diskBytes: 101 * gib,
  files: 1_000_000,
  processes: 4_194_304,
};
const limitsOf = (set: Record<string, string> = {}, capacity = 4, of: Machine = machine) =>
  jobLimits(of, capacity, readEnvironment({}, set));

describe("what a job may take where nothing is set", () => {
  it("is the machine divided by the jobs at once", () => {
    expect(limitsOf()).toEqual({
      memoryBytes: { max: 4.5 * gib, default: 4.5 * gib },
      cpu: { max: 2, default: 2 },
      diskBytes: 25 * gib,
      processes: 512,
      openFiles: null,
      files: 225_000,
      stepLogBytes: null,
      jobMs: null,
    });
  });

  it("is enough to run anything on a small machine with many jobs", () => {
    const small = { memoryBytes: gib, cores: 1, diskBytes: gib, files: null, processes: 4096 };
    expect(limitsOf({}, 64, small)).toMatchObject({
      memoryBytes: { max: 64 * 1024 ** 2 },
      cpu: { max: 1 },
      diskBytes: 64 * 1024 ** 2,
      processes: 64,
      files: null,
    });
  });
});

describe("what the operator sets", () => {
  it("counts, with the default that goes with it", () => {
    const set = {
      FORGELINE_RUNNER_MAX_MEMORY: "16Gi",
      FORGELINE_RUNNER_DEFAULT_MEMORY: "512Mi",
      FORGELINE_RUNNER_MAX_CPU: "6",
      FORGELINE_RUNNER_MAX_DISK: "1073741824",
      FORGELINE_RUNNER_MAX_PROCESSES: "100",
      FORGELINE_RUNNER_MAX_JOB_TIME: "1h30m",
    };
    expect(limitsOf(set)).toMatchObject({
      memoryBytes: { max: 16 * gib, default: gib / 2 },
      cpu: { max: 6, default: 6 },
      diskBytes: gib,
      processes: 100,
      jobMs: 5_400_000,
    });
  });

  it("is no more cores than there are, which Docker would refuse", () => {
    expect(limitsOf({ FORGELINE_RUNNER_MAX_CPU: "64" }).cpu).toEqual({ max: 8, default: 8 });
  });

  it("is refused where a job that does not ask would get more than one that does", () => {
    const set = { FORGELINE_RUNNER_DEFAULT_MEMORY: "8Gi", FORGELINE_RUNNER_MAX_MEMORY: "4Gi" };
    expect(() => limitsOf(set)).toThrow(
      /FORGELINE_RUNNER_DEFAULT_MEMORY: at most FORGELINE_RUNNER_MAX_MEMORY/,
    );
  });

  it.each([
    ["FORGELINE_RUNNER_MAX_MEMORY", "4 GB"],
    ["FORGELINE_RUNNER_MAX_MEMORY", "1000"],
    ["FORGELINE_RUNNER_MAX_JOB_TIME", "90"],
    ["FORGELINE_RUNNER_MAX_CPU", "0"],
  ])("%s is not %s", (name, value) => {
    expect(() => limitsOf({ [name]: value })).toThrow(name);
  });
});
