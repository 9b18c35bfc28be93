/** What a job cannot have where there are no containers. */
import { describe, expect, it } from "vitest";
import type { EngineJob } from "@forgeline/runner/engine/engine.ts";
import { refuseJob } from "@forgeline/runner/engine/process/refuse-job.ts";
import { processJob } from "../../../../support/engine-subjects.ts";
import { testLimits } from "../../../../support/runner-limits.ts";

const nothing = { cpu: null, memoryBytes: null, shmBytes: null };
const more = { ...nothing, memoryBytes: testLimits.memoryBytes.max + 1 };

function refusal(change: Partial<EngineJob>): unknown {
  try {
    refuseJob({ ...processJob("att_1-1"), ...change }, testLimits);
    return null;
  } catch (error) {
    return error;
  }
}

describe("a job without a container", () => {
  it("may have what the machine has", () => {
    expect(refusal({})).toBeNull();
    expect(refusal({ resources: { ...nothing, memoryBytes: testLimits.memoryBytes.max } })).toBeNull();
  });

  it.each([
    ["an image", { image: { name: "node:22", user: null } }, "asks for the image node:22"],
    ["images of steps", { stepContainers: 1 }, "asks for steps with images of their own"],
    ["services", { services: [{ key: "db", resources: nothing }] }, "asks for services"],
    ["a closed network", { network: { allow: [] } }, "asks for a restricted network"],
    ["all rights", { isPrivileged: true }, "asks for privileged containers"],
    ["shared memory", { resources: { ...nothing, shmBytes: 1 } }, "asks for resources.shm"],
    ["a label for any", { runnerLabels: ["executor=*"] }, "does not ask for the label executor=process"],
  ] satisfies [string, Partial<EngineJob>, string][])("may not have %s", (_, change, why) => {
    expect(refusal(change)).toMatchObject({
      code: "unsupported",
      message: expect.stringContaining(why) as string,
    });
  });

  it("may not ask for more than the runner's limits", () => {
    expect(refusal({ resources: more })).toMatchObject({
      code: "resources",
      message: expect.stringContaining("FORGELINE_RUNNER_MAX_MEMORY") as string,
    });
  });
});
