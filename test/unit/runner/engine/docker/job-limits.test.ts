import { describe, expect, it } from "vitest";
import { divideLimits, ownStepLimits, plainLimits } from "@forgeline/runner/engine/docker/job-limits.ts";
import type { EngineError, JobShape } from "@forgeline/runner/engine/engine.ts";
import { testLimits } from "../../../../support/runner-limits.ts";

const mib = 1024 ** 2;
const nothing = { cpu: null, memoryBytes: null, shmBytes: null };
const limits = {
  ...testLimits,
  memoryBytes: { max: 1024 * mib, default: 512 * mib },
  cpu: { max: 4, default: 1 },
};
const memory = (size: number | null) => ({ ...nothing, memoryBytes: size && size * mib });
const cpu = (cores: number | null) => ({ ...nothing, cpu: cores });
const shape = (
  resources: JobShape["resources"],
  services: readonly JobShape["resources"][] = [],
  stepContainers = 0,
): JobShape => ({
  resources,
  services: services.map((each, at) => ({ key: `s${at}`, resources: each })),
  stepContainers,
});

function memories(job: JobShape): number[] {
  const { steps, services } = divideLimits(limits, job);
  return [steps, ...Object.values(services)].map(({ memoryBytes }) => memoryBytes / mib);
}

function refusal(job: JobShape): string {
  try {
    divideLimits(limits, job);
  } catch (error) {
    return `${(error as EngineError).code}: ${(error as Error).message}`;
  }
  return "";
}

it("refuses a job whose file allows itself more disk than the runner does", () => {
  expect(refusal(shape({ ...nothing, diskBytes: limits.diskBytes }))).toBe("");
  expect(refusal(shape({ ...nothing, diskBytes: limits.diskBytes + 1024 * mib }))).toBe(
    "resources: The job asks for 9Gi of disk; the limit for a job on this runner is 8Gi (FORGELINE_RUNNER_MAX_DISK).",
  );
});

describe("memory of a job's containers", () => {
  it.each([
    ["alone, asking for nothing", shape(nothing), [512]],
    ["alone, asking for less", shape(memory(64)), [64]],
    ["alone, asking for the most", shape(memory(1024)), [1024]],
    ["evenly with services", shape(nothing, [nothing, nothing, nothing]), [128, 128, 128, 128]],
    ["what one asks for is taken first", shape(nothing, [memory(384)]), [128, 384]],
    ["more than the default where it is needed", shape(memory(512), [nothing]), [512, 512]],
    ["a step with an image of its own counts too", shape(nothing, [], 1), [256]],
    ["and each of those that run at the same time", shape(nothing, [], 3), [128]],
  ])("%s", (_what, job, expected) => {
    expect(memories(job)).toEqual(expected);
  });

  it("is never more in all than the most", () => {
    const kinds = [nothing, memory(1), memory(40), memory(300), memory(900)];
    for (const own of kinds)
      for (const service of kinds)
        for (let count = 0; count <= 10; count += 1) {
          const job = shape(own, Array<JobShape["resources"]>(count).fill(service), count % 4);
          if (refusal(job) !== "") continue;
          const [steps = 0, ...services] = memories(job);
          const sum = services.reduce((total, each) => total + each, steps * (1 + job.stepContainers));
          expect(sum).toBeLessThanOrEqual(1024);
        }
  });

  it.each([
    [
      shape(memory(1025)),
      "resources: The job needs 1025Mi of memory; the limit for a job on this runner is 1Gi (FORGELINE_RUNNER_MAX_MEMORY).",
    ],
    [
      shape(memory(600), [memory(1500)]),
      "resources: The job needs 2100Mi of memory, counting its services; the limit for a job on this runner is 1Gi (FORGELINE_RUNNER_MAX_MEMORY).",
    ],
    [
      shape(memory(600), [], 1),
      "resources: The job needs 1200Mi of memory, counting as much again for steps with images of their own; the limit for a job on this runner is 1Gi (FORGELINE_RUNNER_MAX_MEMORY).",
    ],
    [
      shape(memory(300), [], 3),
      "resources: The job needs 1200Mi of memory, counting as much again for each of 3 steps with images of their own that run at the same time; the limit for a job on this runner is 1Gi (FORGELINE_RUNNER_MAX_MEMORY).",
    ],
  ])("that is too much is refused with what may be had", (job, message) => {
    expect(refusal(job)).toBe(message);
  });
});

it("cores and processes are shared by steps with images of their own that run at the same time", () => {
  const { steps } = divideLimits(limits, shape(cpu(4), [], 3));
  expect(ownStepLimits(steps, 1)).toEqual(steps);
  expect(ownStepLimits(steps, 4)).toEqual({ ...steps, cpu: 1, pids: Math.ceil(steps.pids / 4) });
});

describe("cores", () => {
  it("are the default, or what was asked for", () => {
    expect(plainLimits(limits).cpu).toBe(1);
    expect(divideLimits(limits, shape(cpu(4))).steps.cpu).toBe(4);
  });

  it("of services are together what the steps could have", () => {
    const { services } = divideLimits(limits, shape(nothing, [cpu(3), nothing, nothing]));
    expect(Object.values(services).map((each) => each.cpu)).toEqual([3, 0.5, 0.5]);
  });

  it("are refused beyond the most", () => {
    expect(refusal(shape(cpu(4.5)))).toBe(
      "resources: The job asks for 4.5 CPU cores; the limit for a job on this runner is 4 (FORGELINE_RUNNER_MAX_CPU).",
    );
    expect(refusal(shape(nothing, [cpu(3), cpu(3)]))).toContain("The services of the job need 6 CPU cores");
  });

  it("weigh no more for having more containers", () => {
    const weights = [0, 1, 4].map((count) => {
      const { steps, services } = divideLimits(limits, shape(nothing, Array(count).fill(nothing)));
      return Object.values(services).reduce((sum, each) => sum + each.cpuShares, steps.cpuShares);
    });
    expect(weights).toEqual([102, 102, 100]);
  });
});

it("/dev/shm is memory", () => {
  expect(refusal(shape({ ...nothing, shmBytes: 2048 * mib }))).toContain("2Gi of /dev/shm");
});
