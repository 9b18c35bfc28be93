/** What is read from the daemon's word about itself, and what an operator is told of it. */
import { expect, test } from "vitest";
import { engineKind, factsOf } from "@forgeline/runner/engine/docker/daemon-facts.ts";
import { largeNetworks, warningsOf } from "@forgeline/runner/engine/docker/daemon-warnings.ts";

const rootless = {
  LiveRestoreEnabled: false,
  MemoryLimit: false,
  PidsLimit: false,
  CpuCfsQuota: false,
  CgroupDriver: "none",
  SecurityOptions: ["name=seccomp,profile=default", "name=rootless"],
};
const ordinary = {
  LiveRestoreEnabled: true,
  MemoryLimit: true,
  PidsLimit: true,
  CpuCfsQuota: true,
  CgroupDriver: "systemd",
  DockerRootDir: "/var/lib/docker",
  SecurityOptions: ["name=apparmor", "name=seccomp,profile=default", "name=cgroupns"],
};

test("a rootless daemon says so, and whether it has control groups", () => {
  expect(factsOf(rootless)).toEqual({
    isPodman: false,
    isRootless: true,
    hasControlGroups: false,
    storageDirectory: null,
  });
  expect(factsOf({ ...rootless, CgroupDriver: "systemd" }).hasControlGroups).toBe(true);
  expect(factsOf(ordinary)).toEqual({
    isPodman: false,
    isRootless: false,
    hasControlGroups: true,
    storageDirectory: "/var/lib/docker",
  });
  expect(factsOf({ SecurityOptions: null }).isRootless).toBe(false);
});

test("its operator hears what is not limited, and nothing of live-restore, which would not help", () => {
  expect(warningsOf(rootless, false)).toEqual([
    "The Docker daemon cannot limit memory, processes, processor time of jobs: its user has no control groups for that.",
  ]);
  expect(warningsOf(rootless, true)[0]).toMatch(/run it as the daemon's user/);
});

test("Podman is known by what it alone says, and its word about control groups of version 1 is not taken where it is rootless", () => {
  const podman = { ...ordinary, LiveRestoreEnabled: false, BuildahVersion: "1.28.2", CgroupVersion: "1" };
  const alone = { ...podman, Rootless: true };
  expect([podman, alone, ordinary, rootless].map((info) => engineKind(factsOf(info)))).toEqual([
    "podman",
    "podman_rootless",
    "docker",
    "docker_rootless",
  ]);
  expect([podman, alone].map((info) => factsOf(info).hasControlGroups)).toEqual([true, false]);
  expect(factsOf({ ...alone, CgroupVersion: "2" }).hasControlGroups).toBe(true);
  expect(warningsOf(podman, true)).toEqual([expect.stringContaining("memory of TCP connections")]);
  expect(warningsOf(alone, false)).toEqual([
    expect.stringContaining("cannot limit memory, processes, processor time"),
  ]);
});

test("that of an ordinary one hears what to change", () => {
  expect(warningsOf(ordinary, true)).toEqual([]);
  expect(warningsOf({ ...ordinary, LiveRestoreEnabled: false, PidsLimit: false }, false)).toEqual([
    expect.stringContaining("live-restore"),
    "The Docker daemon cannot limit processes of jobs on this machine.",
  ]);
});

test("control groups of version 1 are told of, where there are any", () => {
  expect(warningsOf({ ...ordinary, CgroupVersion: "2" }, true)).toEqual([]);
  expect(warningsOf({ ...ordinary, CgroupVersion: "1" }, true)).toEqual([
    expect.stringContaining("memory of TCP connections is outside the limits of jobs"),
  ]);
  expect(warningsOf({ ...rootless, CgroupVersion: "1" }, false)).toHaveLength(1);
});

test("networks with many addresses are told of, and Docker's own are such", () => {
  const small = { Base: "172.30.0.0/15", Size: 26 };
  const six = { Base: "fd00:1::/48", Size: 64 };
  expect(largeNetworks({ DefaultAddressPools: [small, six] })).toEqual([]);
  for (const pools of [undefined, [], [six], [small, { Base: "10.0.0.0/8", Size: 23 }]])
    expect(largeNetworks({ DefaultAddressPools: pools })).toEqual([
      expect.stringContaining('"default-address-pools"'),
    ]);
});
