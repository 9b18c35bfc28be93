/** What a container of a job may be made with, whatever its author wrote: the keys that options may have, and those that never change. */
import type Dockerode from "dockerode";
import { expect } from "vitest";
import { keptCapabilities } from "@forgeline/runner/engine/docker/create-options.ts";

const words = (text: string) => text.split(/\s+/);
const allowedKeys = words(
  `name Image Labels User Healthcheck Entrypoint Cmd WorkingDir Env AttachStdin AttachStdout AttachStderr OpenStdin Tty
   HostConfig NetworkingConfig`,
);
const allowedHostKeys = words(
  `NetworkMode ExtraHosts Mounts Memory MemorySwap CpuPeriod CpuQuota CpuShares PidsLimit Ulimits ShmSize Privileged CapDrop CapAdd SecurityOpt
   IpcMode RestartPolicy AutoRemove LogConfig`,
);

export function expectCaged(options: Dockerode.ContainerCreateOptions): void {
  const host = options.HostConfig ?? {};
  expect(Object.keys(options).filter((key) => !allowedKeys.includes(key))).toEqual([]);
  expect(Object.keys(host).filter((key) => !allowedHostKeys.includes(key))).toEqual([]);
  expect(host).toMatchObject({
    Privileged: false,
    CapDrop: ["ALL"],
    CapAdd: [...keptCapabilities],
    SecurityOpt: ["no-new-privileges"],
    IpcMode: "private",
    RestartPolicy: { Name: "no" },
  });
  expect(host.PidsLimit).toBeGreaterThan(0);
  // What the runner itself has, as everything that says nothing.
  expect(host.CpuShares).toBeLessThan(1_024);
  expect(host.MemorySwap).toBe(host.Memory);
  expect(host.Mounts?.map(({ Type }) => Type) ?? []).toEqual((host.Mounts ?? []).map(() => "bind"));
}
