/** What about the daemon an operator should change, in sentences. */
import type Dockerode from "dockerode";
import type { Daemon } from "./daemon.ts";

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

interface DaemonInfo {
  LiveRestoreEnabled?: boolean;
  MemoryLimit?: boolean;
  PidsLimit?: boolean;
  SecurityOptions?: string[];
}

export async function daemonWarnings(docker: Dockerode, daemon: Daemon): Promise<string[]> {
  const [info, version] = await Promise.all([
    daemon.ask(() => docker.info() as Promise<DaemonInfo>),
    daemon.ask(() => docker.version()),
  ]);
  const warnings: string[] = [];
  const runc = version.Components?.find(({ Name }) => Name === "runc")?.Version ?? "";
  if (isOldRunc(runc)) warnings.push(`runc ${runc} has known escapes; install 1.2.8 or newer.`);
  if (info.LiveRestoreEnabled === false) {
    warnings.push(
      'The Docker daemon stops jobs when it restarts: set "live-restore": true in /etc/docker/daemon.json.',
    );
  }
  if (info.MemoryLimit === false) warnings.push("The Docker daemon cannot limit memory on this machine.");
  if (info.PidsLimit === false) warnings.push("The Docker daemon cannot limit processes on this machine.");
  if (info.SecurityOptions?.some((option) => option.includes("seccomp")) === false) {
    warnings.push("The Docker daemon runs without seccomp.");
  }
  return warnings;
}
