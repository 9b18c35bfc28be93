/** Privileged jobs on a real daemon: all of a job's containers have all rights, and no job has where the operator says nothing. */
import Dockerode from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importTestImage } from "../../support/test-image.ts";
import { docker, engineBed, never, runToEnd, step } from "./docker-job.ts";

const image = "forgeline-test/privileged:1";
beforeAll(() => importTestImage(docker, { name: image }));
afterAll(() => docker.getImage(image).remove({ force: true }));

/** The same daemon, which is asked for as much as it can give: machines that run tests may not have all rights themselves. */
function recordingDocker(): { recording: Dockerode; asked: Dockerode.ContainerCreateOptions[] } {
  const asked: Dockerode.ContainerCreateOptions[] = [];
  const recording = new Dockerode();
  const create = recording.createContainer.bind(recording);
  recording.createContainer = ((options: Dockerode.ContainerCreateOptions) => {
    asked.push(options);
    return create({ ...options, HostConfig: { ...options.HostConfig, Privileged: false } });
  }) as typeof recording.createContainer;
  return { recording, asked };
}

const rightsOf = ({ Labels, HostConfig }: Dockerode.ContainerCreateOptions) => [
  Labels?.["forgeline.kind"],
  HostConfig?.Privileged,
  HostConfig?.CapDrop?.length,
  HostConfig?.SecurityOpt?.length,
];

test("containers of job, step and service are asked for with all rights; those of others and helpers never", async () => {
  const { recording, asked } = recordingDocker();
  const bed = await engineBed({ privileged: true, docker: recording, poolSize: 1 });
  expect(bed.engine.features()).toEqual(["privileged"]);
  const plain = { image: { name: image, user: null } };
  const none = { cpu: null, memoryBytes: null, shmBytes: null };
  const web = {
    key: "web",
    image: plain.image,
    command: ["sleep", "60"],
    env: {},
    resources: none,
    ready: false,
  };
  try {
    await bed.inJob({ ...plain, isPrivileged: true, stepContainers: 1 }, async (environment) => {
      await environment.startServices([web as never], () => undefined, never);
      await runToEnd(environment, step(0, "true", { image: plain.image }));
    });
    const all = asked.splice(0).map(rightsOf);
    for (const kind of ["job", "step", "service"]) expect(all).toContainEqual([kind, true, 0, 0]);
    expect(all.filter(([, privileged]) => privileged)).toHaveLength(3);
    await bed.inJob(plain, async (environment) => {
      await runToEnd(environment, step(0, "true"));
    });
    const others = asked.map(rightsOf);
    expect(others).toContainEqual(["job", false, 1, 1]);
    expect(others.filter(([, privileged]) => privileged)).toEqual([]);
  } finally {
    await bed.close();
  }
});

test("a runner whose operator did not allow them refuses such a job, whatever the server sends", async () => {
  const bed = await engineBed();
  expect(bed.engine.features()).toEqual([]);
  const job = { image: { name: image, user: null }, isPrivileged: true, signal: never };
  await expect(bed.prepare(job)).rejects.toThrow("This runner takes no privileged jobs");
  await bed.close();
});
