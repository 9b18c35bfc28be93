import { link, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Dockerode from "dockerode";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EngineContext } from "@forgeline/runner/engine/docker/context.ts";
import { createDaemon } from "@forgeline/runner/engine/docker/daemon.ts";
import { jobDiskUsage } from "@forgeline/runner/engine/docker/job-disk.ts";

const mib = 1024 * 1024;
const jobKey = "forgeline-att_1-1";
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "forgeline-job-disk-"));
  for (const name of ["mounted/workspace", "own/main"])
    await mkdir(join(home, "jobs", jobKey, name), { recursive: true });
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** By id, what the daemon says of it; null where it is gone by the time it is looked at. */
type Told = Record<string, object | null>;

function usageWith(told: Told): ReturnType<typeof jobDiskUsage> {
  const docker = {
    listContainers: async () => Object.keys(told).map((Id) => ({ Id, Labels: {} })),
    getContainer: (id: string) => ({
      async inspect() {
        const info = told[id];
        if (!info) throw Object.assign(new Error("no such container"), { statusCode: 404 });
        return { Id: id, HostsPath: "", Mounts: [], ...info };
      },
    }),
  } as unknown as Dockerode;
  const parts = {
    docker,
    daemon: createDaemon(1000),
    daemonFacts: async () => ({ storageDirectory: null }),
    runnerId: "rnr_1",
    workDir: join(home, "jobs"),
  };
  return jobDiskUsage(parts as unknown as EngineContext, { jobKey, workspaceKey: null });
}

const written = async (path: string) => {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, Buffer.alloc(mib, 1));
};

it("adds to the job's directory the layers, volumes and the daemon's own directories of its containers", async () => {
  const { bytes: before } = await usageWith({});
  await written(join(home, "layer/a"));
  await written(join(home, "containers/c1/hosts"));
  await written(join(home, "volume/x"));
  await written(join(home, "bound/y"));
  const { bytes } = await usageWith({
    c1: {
      GraphDriver: { Name: "overlay2", Data: { UpperDir: join(home, "layer") } },
      HostsPath: join(home, "containers/c1/hosts"),
      Mounts: [
        { Type: "volume", Source: join(home, "volume") },
        { Type: "bind", Source: join(home, "bound") },
      ],
    },
    gone: null,
  });
  expect(Math.round((bytes - before) / mib)).toBe(3);
});

it.each([
  ["asks the daemon for layers that have no directory of their own", { SizeRw: 5 * mib }, 5 * mib],
  ["counts one that the daemon could not walk as unknown", { SizeRw: -1 }, Infinity],
  ["counts one that it says nothing of as unknown", {}, Infinity],
])("%s", async (_what, size, more) => {
  const { bytes: before } = await usageWith({});
  const { bytes } = await usageWith({ c1: { GraphDriver: { Name: "btrfs", Data: null }, ...size } });
  expect(bytes - before).toBe(more);
});

it("counts a log whole although the spool has it, too", async () => {
  const log = join(home, "jobs", jobKey, "own/main/step-0.out");
  const { bytes: before } = await usageWith({});
  await written(log);
  await link(log, join(home, "spooled"));
  expect(((await usageWith({})).bytes - before) / mib).toBeCloseTo(1, 1);
});
