/** What the daemon says of itself that decides how jobs are run: asked when first needed, and once. */
import type Dockerode from "dockerode";
import type { RunnerEngine } from "@forgeline/schemas/runners/engine.ts";
import type { Daemon } from "./daemon.ts";

export interface DaemonFacts {
  /** Its name servers are on the machine, one for each network; images built on the machine have digests; and more. */
  isPodman: boolean;
  /** It runs as an ordinary user: with a network of its own, and with other numbers for users than the machine. */
  isRootless: boolean;
  /** It can bound what containers take, and change that while they run. */
  hasControlGroups: boolean;
  /** Where it has its images and layers; null where it says nothing. */
  storageDirectory: string | null;
}

/** The parts of the daemon's `/info` that are read here. */
export interface DaemonInfo {
  LiveRestoreEnabled?: boolean;
  MemoryLimit?: boolean;
  PidsLimit?: boolean;
  CpuCfsQuota?: boolean;
  CgroupDriver?: string;
  CgroupVersion?: string;
  /** What its operator set; missing where the daemon has its own. */
  DefaultAddressPools?: { Base: string; Size: number }[] | undefined;
  DockerRootDir?: string;
  SecurityOptions?: string[] | null;
  /** Podman alone says it, and says it here alone. */
  Rootless?: boolean;
  /** Podman alone has it. */
  BuildahVersion?: string;
}

export function factsOf(info: DaemonInfo): DaemonFacts {
  const isPodman = info.BuildahVersion !== undefined;
  const isRootless =
    info.Rootless === true ||
    info.SecurityOptions?.some((option) => /^(name=)?rootless(,|$)/.test(option)) === true;
  // A rootless Podman says that it can limit what control groups of version 1 do not let it.
  const isPowerless = isPodman && isRootless && info.CgroupVersion === "1";
  return {
    isPodman,
    isRootless,
    hasControlGroups: info.CgroupDriver !== "none" && !isPowerless,
    storageDirectory: info.DockerRootDir ?? null,
  };
}

export function engineKind({ isPodman, isRootless }: DaemonFacts): RunnerEngine {
  if (isPodman) return isRootless ? "podman_rootless" : "podman";
  return isRootless ? "docker_rootless" : "docker";
}

export function createDaemonFacts(docker: Dockerode, daemon: Daemon): () => Promise<DaemonFacts> {
  let known: Promise<DaemonFacts> | null = null;
  return () => {
    if (known !== null) return known;
    const asked = daemon.ask(() => docker.info() as Promise<DaemonInfo>).then(factsOf);
    asked.catch(() => {
      known = null;
    });
    known = asked;
    return asked;
  };
}
