/** What about the daemon an operator should change, in sentences. */
import type Dockerode from "dockerode";
import type { Daemon } from "./daemon.ts";
import { factsOf, type DaemonInfo } from "./daemon-facts.ts";

/** runc before this one lets containers reach the host (CVE-2025-31133, -52565, -52881). */
const safeRunc = [1, 2, 8] as const;

export function isOldRunc(version: string): boolean {
  const match = /(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null) return false;
  const numbers = match.slice(1, 4).map(Number);
  for (const [index, wanted] of safeRunc.entries()) {
    const have = numbers[index] ?? 0;
    if (have !== wanted) return have < wanted;
  }
  return false;
}

/** Its own seccomp profile forbids them from 23.0 on (moby/moby#44562). */
export function allowsVsock(version: string): boolean {
  return Number.parseInt(version, 10) < 23;
}

/** With 256 addresses in each, a job with all its services does not fill the table of neighbours that the runner wants. */
const smallNetworkBits = 24;

/** The kernel keeps one table of neighbours for all networks, and a job can request every address of its own. */
export function largeNetworks({ DefaultAddressPools }: DaemonInfo): string[] {
  const pools = DefaultAddressPools?.filter(({ Base }) => !Base.includes(":")) ?? [];
  if (pools.length > 0 && pools.every(({ Size }) => Size >= smallNetworkBits)) return [];
  return [
    'The networks of jobs have thousands of addresses, so one job can fill the neighbour table of this machine: set "default-address-pools" with "size": 26 in /etc/docker/daemon.json.',
  ];
}

export async function daemonWarnings(docker: Dockerode, daemon: Daemon): Promise<string[]> {
  const [info, version] = await Promise.all([
    daemon.ask(() => docker.info() as Promise<DaemonInfo>),
    daemon.ask(() => docker.version()),
  ]);
  const versionOf = (name: string) => version.Components?.find(({ Name }) => Name === name)?.Version ?? "";
  const runc = versionOf("runc");
  // Podman calls itself otherwise.
  const engine = versionOf("Engine");
  const old = isOldRunc(runc) ? [`runc ${runc} has known escapes; install 1.2.8 or newer.`] : [];
  const open = allowsVsock(engine)
    ? [
        `Docker ${engine} lets jobs open vsock sockets, which bypass the network filter to reach a hypervisor; install 23 or newer.`,
      ]
    : [];
  const large = engine === "" ? [] : largeNetworks(info);
  const isPodman = version.Components?.some(({ Name }) => /^podman/i.test(Name)) === true;
  const podman = isPodman
    ? [
        "The daemon is Podman, with which job isolation has not been tested: use Docker for jobs that you do not trust.",
      ]
    : [];
  return [...podman, ...old, ...open, ...large, ...warningsOf(info, process.getuid?.() === 0)];
}

export function warningsOf(info: DaemonInfo, isRoot: boolean): string[] {
  const { isRootless, isPodman, hasControlGroups } = factsOf(info);
  const warnings: string[] = [];
  if (isRootless && isRoot)
    warnings.push("The Docker daemon is rootless and this runner is root: run it as the daemon's user.");
  // A rootless one loses its jobs' network when it ends, and what went on without it.
  // Podman's containers go on without it.
  if (info.LiveRestoreEnabled === false && !isRootless && !isPodman) {
    warnings.push(
      'The Docker daemon stops jobs when it restarts: set "live-restore": true in /etc/docker/daemon.json.',
    );
  }
  const unlimited = [
    ...(info.MemoryLimit === false || !hasControlGroups ? ["memory"] : []),
    ...(info.PidsLimit === false || !hasControlGroups ? ["processes"] : []),
    ...(info.CpuCfsQuota === false || !hasControlGroups ? ["processor time"] : []),
  ];
  if (unlimited.length > 0) {
    const why = isRootless ? ": its user has no control groups for that" : " on this machine";
    warnings.push(`The Docker daemon cannot limit ${unlimited.join(", ")} of jobs${why}.`);
  }
  // Without control groups it is told above that nothing is limited.
  if (info.CgroupVersion === "1" && !unlimited.includes("memory")) {
    warnings.push(
      "This machine has control groups of version 1, where memory of TCP connections is outside the limits of jobs: start its kernel with systemd.unified_cgroup_hierarchy=1.",
    );
  }
  if (info.SecurityOptions?.some((option) => option.includes("seccomp")) === false) {
    warnings.push("The Docker daemon runs without seccomp.");
  }
  return warnings;
}
