/** What the daemon says of itself that decides how jobs are run: asked when first needed, and once. */
import type Dockerode from "dockerode";
import type { Daemon } from "./daemon.ts";

export interface DaemonFacts {
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
}

export function factsOf({ SecurityOptions, CgroupDriver, DockerRootDir }: DaemonInfo): DaemonFacts {
  return {
    isRootless: SecurityOptions?.some((option) => /^(name=)?rootless(,|$)/.test(option)) === true,
    hasControlGroups: CgroupDriver !== "none",
    storageDirectory: DockerRootDir ?? null,
  };
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
