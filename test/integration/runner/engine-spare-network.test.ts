/** The network that waits: a job for which no container waits takes it; what operators prune is made anew. */
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { eventually } from "../../support/eventually.ts";
import { docker, engineBed, leftOver, runToEnd, step, type EngineBed } from "./docker-job.ts";

let bed: EngineBed;
beforeAll(() => ensureBaseImage(docker));
beforeEach(async () => {
  bed = await engineBed({ poolSize: 0 });
});
afterEach(() => bed.close());

async function waitingNetwork(): Promise<string> {
  await bed.engine.warm();
  const filters = { label: [`forgeline.runner=${bed.runnerId}`] };
  return (await docker.listNetworks({ filters }))[0]?.Id ?? "";
}

it("is taken by one job, named like any other job's container, and goes with the job", async () => {
  const id = await waitingNetwork();
  const environment = await bed.prepare();
  expect(environment.handle.networkId).toBe(id);
  expect((await runToEnd(environment, step(0, "echo works"))).output).toBe("works\n");
  await eventually(async () => {
    const { Name } = await docker.getContainer(environment.handle.containerId).inspect();
    return Name === `/forgeline-${environment.handle.leaseKey}`;
  });
  await environment.destroy();
  expect(await leftOver(bed.runnerId)).toEqual([]);
});

it("is made with the job where it was pruned, and removed with the engine where nobody took it", async () => {
  const id = await waitingNetwork();
  await docker.getNetwork(id).remove();
  const environment = await bed.prepare();
  expect(environment.handle.networkId).not.toBe(id);
  await environment.destroy();
  await waitingNetwork();
  await bed.engine.close();
  expect(await leftOver(bed.runnerId)).toEqual([]);
});
