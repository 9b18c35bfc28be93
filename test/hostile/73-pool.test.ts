/** Containers that wait for a job, of an image that would work for somebody else meanwhile: they do nothing at all. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type Dockerode from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import { limitOptions } from "@forgeline/runner/engine/docker/create-options.ts";
import { plainLimits } from "@forgeline/runner/engine/docker/job-limits.ts";
import type { Engine } from "@forgeline/runner/engine/engine.ts";
import { eventually } from "../support/eventually.ts";
import { importTestImage } from "../support/test-image.ts";
import { docker } from "./support/hostile-bed.ts";
import { size } from "../support/size.ts";
import { testLimits } from "../support/runner-limits.ts";

const image = "forgeline-test/miner:1";
const runnerId = `rnr_pool${String(process.pid)}`;
const mine = "#!/bin/busybox sh\n/bin/busybox nc -w 1 198.51.100.1 80 </dev/null &\nwhile :; do :; done\n";
let engine: Engine;
let workDir: string;

beforeAll(async () => {
  await importTestImage(docker, {
    name: image,
    files: { "bin/sh": mine, "bin/true": mine },
    changes: ["HEALTHCHECK --interval=1s CMD true", 'ENTRYPOINT ["/bin/sh"]'],
  });
  workDir = await mkdtemp(join(tmpdir(), "forgeline-pool-"));
  const warmFirst = [{ image: { name: image, user: null }, extraHosts: [], caFile: null }];
  engine = createDockerEngine({
    limits: testLimits,
    runnerId,
    workDir,
    scriptsDir: `${workDir}-in`,
    poolSize: 2,
    warmFirst,
  });
  await engine.warm();
});
afterAll(async () => {
  await engine.close();
  await engine.sweep(new Set());
  await docker.getImage(image).remove({ force: true });
  for (const path of [workDir, `${workDir}-in`]) await rm(path, { recursive: true, force: true });
});

/** The first and the last of so many looks, one a second, as the daemon takes them. */
async function lookedAt(container: Dockerode.Container, looks: number): Promise<Dockerode.ContainerStats[]> {
  const stream = (await container.stats({ stream: true })) as unknown as Readable;
  const seen: Dockerode.ContainerStats[] = [];
  for await (const line of createInterface({ input: stream })) {
    seen.push(JSON.parse(line) as Dockerode.ContainerStats);
    if (seen.length === looks) break;
  }
  stream.destroy();
  return [seen[0], seen.at(-1)].filter((look) => look !== undefined);
}

const processorMs = (stats?: Dockerode.ContainerStats) => (stats?.cpu_stats.cpu_usage.total_usage ?? 0) / 1e6;
const packets = (stats?: Dockerode.ContainerStats) =>
  Object.values(stats?.networks ?? {}).reduce((sum, { tx_packets }) => sum + tx_packets, 0);

test("an image's programs get no processor and send nothing until a job takes the container", async () => {
  const filters = { label: [`forgeline.runner=${runnerId}`, "forgeline.kind=job"] };
  const waiting = await eventually(async () => {
    const found = await docker.listContainers({ filters });
    return found.length === 2 ? found : undefined;
  });
  const looks = await Promise.all(waiting.map(({ Id }) => lookedAt(docker.getContainer(Id), size(3, 60))));
  for (const [first, last] of looks) {
    expect(processorMs(last) - processorMs(first)).toBeLessThanOrEqual(50);
    expect(packets(last)).toBe(0);
    expect(last?.pids_stats?.current).toBe(1);
  }
  for (const { Id } of waiting) {
    const { HostConfig } = await docker.getContainer(Id).inspect();
    expect(HostConfig).toMatchObject(limitOptions(plainLimits(testLimits)));
  }
});
