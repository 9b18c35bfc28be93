/** A daemon whose address pool is used up: waiting containers give way to jobs, then jobs are told why. */
import type Dockerode from "dockerode";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnDocker, type OwnDocker } from "../../support/own-docker.ts";
import { engineBed, never, runToEnd, step, type EngineBed } from "./docker-job.ts";

const image = (user: string): { name: string; user: string } => ({ name: "forgeline/base:1", user });

describe("an address pool of two networks", () => {
  let own: OwnDocker;
  let bed: EngineBed;
  beforeAll(async () => {
    own = await startOwnDocker({ addressPool: "base=10.214.0.0/25,size=26" });
    await ensureBaseImage(own.docker);
    const warmFirst = [{ image: image("1"), extraHosts: [], caFile: null }];
    bed = await engineBed({ docker: own.docker, poolSize: 1, warmFirst });
  });
  afterAll(async () => {
    await bed.close();
    await own.close();
  });

  afterEach(() => vi.restoreAllMocks());

  it("serves two jobs although a container was just being made to wait, and refuses the third", async () => {
    const gate = Promise.withResolvers<void>();
    const create = own.docker.createContainer.bind(own.docker);
    const containers = vi.spyOn(own.docker, "createContainer");
    containers.mockImplementationOnce((async (options: Dockerode.ContainerCreateOptions) => {
      await gate.promise;
      return create(options);
    }) as typeof create);
    const networks = vi.spyOn(own.docker, "createNetwork");
    const filters = { label: [`forgeline.runner=${bed.runnerId}`] };
    void bed.engine.warm();
    await eventually(async () => (await own.docker.listNetworks({ filters })).length === 2);
    const first = await bed.prepare({ image: image("2") });
    const next = bed.prepare({ image: image("3") });
    await eventually(() => networks.mock.settledResults.some(({ type }) => type === "rejected"));
    gate.resolve();
    const second = await next;
    expect((await runToEnd(second, step(0, "id -u"))).output).toBe("3\n");
    await expect(bed.prepare({ image: image("4") })).rejects.toMatchObject({ code: "address_pool" });
    expect(await own.docker.listContainers({ all: true, filters })).toHaveLength(2);
    await first.destroy();
    const third = await bed.prepare({ image: image("4") });
    await third.ready(never);
    await Promise.all([second.destroy(), third.destroy()]);
    expect(await own.docker.listNetworks({ filters })).toEqual([]);
  });
});
