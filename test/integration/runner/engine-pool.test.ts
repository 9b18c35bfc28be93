/** Waiting containers: taken once, bound to their job, bounded in number, gone when the engine closes. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { docker, engineBed, leftOver, never, runToEnd, step, type EngineBed } from "./docker-job.ts";

const kind = { image: { name: "forgeline/base:1", user: null }, extraHosts: [], caFile: null };

describe("the pool", () => {
  let bed: EngineBed;
  beforeAll(() => ensureBaseImage(docker));
  beforeEach(async () => {
    bed = await engineBed({ poolSize: 1, warmFirst: [kind] });
  });
  afterEach(() => bed.close());

  /** The one that waits. Docker lists it before it can serve a job, so that Docker is not asked whether it is there. */
  async function warmed(taken?: string): Promise<string> {
    await bed.engine.warm();
    const filters = { label: [`forgeline.runner=${bed.runnerId}`, "forgeline.kind=job"] };
    const [one, ...more] = (await docker.listContainers({ filters })).filter(
      ({ Id, Names }) => Id !== taken && Names[0]?.startsWith("/forgeline-warm-") === true,
    );
    expect(more).toEqual([]);
    return one?.Id ?? "";
  }

  it("gives each waiting container to one job, with that job's limits, and makes another", async () => {
    const id = await warmed();
    const memoryBytes = 64 * 1024 * 1024;
    const environment = await bed.prepare({ resources: { cpu: 1, memoryBytes, shmBytes: null } });
    expect(environment.handle.containerId).toBe(id);
    await environment.ready(never);
    const { HostConfig } = await docker.getContainer(id).inspect();
    expect(HostConfig).toMatchObject({
      Memory: memoryBytes,
      MemorySwap: memoryBytes,
      CpuQuota: 20_000,
      PidsLimit: 512,
    });
    expect((await runToEnd(environment, step(0, "ls -A"))).output).toBe("");
    const next = await warmed(id);
    await environment.destroy();
    const other = await bed.prepare({ repositoryId: "repo_other" });
    expect(other.handle.containerId).toBe(next);
    await other.destroy();
    await bed.engine.close();
    expect(await leftOver(bed.runnerId)).toEqual([]);
  });

  it("knows a taken one by its lease when the agent was restarted, and spares its own in a sweep", async () => {
    await warmed();
    expect(await bed.engine.sweep(new Set())).toMatchObject({ containers: 0 });
    const environment = await bed.prepare();
    const next = bed.another();
    expect(await next.sweep(new Set([environment.handle.leaseKey]))).toMatchObject({ containers: 0 });
    const taken = await next.reattach(environment.handle);
    expect(taken?.handle).toEqual(environment.handle);
    await taken?.destroy();
  });

  it("makes a fresh one where none fits: other user, other shared memory, or one that died", async () => {
    const id = await warmed();
    const wishes = [
      { image: { name: "forgeline/base:1", user: "1000" } },
      { resources: { cpu: null, memoryBytes: null, shmBytes: 1024 * 1024 } },
    ];
    for (const wish of wishes) {
      await bed.inJob(wish, async (environment) => {
        expect(environment.handle.containerId).not.toBe(id);
        expect((await runToEnd(environment, step(0, "echo ok"))).output).toBe("ok\n");
      });
    }
    await docker.getContainer(id).kill();
    await bed.inJob({}, async (environment) => {
      expect(environment.handle.containerId).not.toBe(id);
      expect((await runToEnd(environment, step(0, "echo ok"))).output).toBe("ok\n");
    });
    expect((await leftOver(bed.runnerId)).filter((name) => name.includes("warm"))).toEqual([]);
  });
});
