/**
 * Where options of containers come from. What a pipeline file says reaches the daemon through the fields of
 * `ContainerPlan` and no others; every other option is fixed here. Host namespaces, devices, sockets and paths of the host cannot
 * be requested; privileges, only of a runner whose operator allows them. `packet-filter.ts` alone changes two options afterwards, of a container that no
 * file has a say in. `docs/architecture/job-isolation.md` lists them all, and tests hold the two equal.
 */
import type Dockerode from "dockerode";

export interface ContainerLimits {
  /** Swap is never added. */
  memoryBytes: number;
  /** Cores. */
  cpu: number;
  /** Weight against other containers where there is not enough for all. */
  cpuShares: number;
  pids: number;
  /** null: as the daemon says. */
  openFiles: number | null;
  shmBytes: number | null;
}

/** Of containers of our own that run one program for a moment. */
export const helperLimits: ContainerLimits = {
  memoryBytes: 128 * 1024 ** 2,
  cpu: 1,
  cpuShares: 102,
  pids: 8,
  openFiles: null,
  shmBytes: null,
};

/** The directory of our own mounts in a container; see `mount-base.ts`. */
export type MountBase = `/forgeline-${string}`;

export interface ContainerMount {
  /** A directory or file of the engine's own; never text of a pipeline. */
  source: string;
  target:
    | "/workspace"
    | `${MountBase}/${"in" | "out" | "init" | "secrets"}`
    | "/forgeline/ca.pem"
    | "/job"
    | `/job/${number}`;
  readOnly: boolean;
}

export interface ContainerPlan {
  name: string;
  imageId: string;
  user: string | null;
  labels: Record<string, string>;
  /** Network of the job; null for none at all. */
  network: string | null;
  /** That network has no way out: no name server outside is asked either. */
  isClosed: boolean;
  /** It is root on the machine. */
  isPrivileged: boolean;
  alias: string | null;
  extraHosts: readonly string[];
  mounts: readonly ContainerMount[];
  limits: ContainerLimits;
  /** null keeps the image's own; with any other, the image's arguments are not used either. */
  entrypoint: readonly string[] | null;
  command: readonly string[] | null;
  env: Record<string, string>;
  workingDir: string | null;
  /**
   * "none" also switches off what the image brings, which the daemon would start again and again. "slowed": the image's, once a
   * second; what the daemon does to start a check counts for no job.
   */
  healthCheck: "image" | "slowed" | "none";
  /** Largest log that the daemon keeps of what the container itself prints. */
  logBytes: number;
}

/**
 * Reserved for documentation, so nobody's, and not reached from a closed network. Without one the daemon passes queries on to its
 * own name server, and some releases do so from the machine's network, where no filter holds them.
 */
const noNameServer = "192.0.2.1";

/** What common images need to change users and owners; everything else is dropped. */
const keptCapabilities = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETUID", "SETGID", "KILL"] as const;

/** The health check of a service's image runs no more often, in nanoseconds. */
export const minCheckIntervalNs = 1_000_000_000;

/** A job takes its cores in pieces of this: with Linux's own tenth of a second, a neighbour waits as long where both are busy. */
const cpuPeriodUs = 20_000;
/** The kernel takes no less. */
const minQuotaUs = 1_000;

/** Limits as the daemon wants them, for `create` and `update` alike. */
export function limitOptions(limits: ContainerLimits): {
  Memory: number;
  MemorySwap: number;
  CpuPeriod: number;
  CpuQuota: number;
  CpuShares: number;
  PidsLimit: number;
} {
  return {
    Memory: limits.memoryBytes,
    MemorySwap: limits.memoryBytes,
    CpuPeriod: cpuPeriodUs,
    CpuQuota: Math.max(minQuotaUs, Math.round(limits.cpu * cpuPeriodUs)),
    CpuShares: limits.cpuShares,
    PidsLimit: limits.pids,
  };
}

export function createOptions(plan: ContainerPlan): Dockerode.ContainerCreateOptions & { name: string } {
  return {
    name: plan.name,
    Image: plan.imageId,
    Labels: { ...plan.labels },
    ...(plan.user === null ? {} : { User: plan.user }),
    ...(plan.entrypoint === null ? {} : { Entrypoint: entrypointOption(plan.entrypoint) }),
    ...(plan.command === null ? {} : { Cmd: [...plan.command] }),
    ...(plan.workingDir === null ? {} : { WorkingDir: plan.workingDir }),
    Env: Object.entries(plan.env).map(([name, value]) => `${name}=${value}`),
    ...healthCheckOption(plan),
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    OpenStdin: false,
    Tty: false,
    HostConfig: hostConfig(plan),
    ...(plan.network === null || plan.alias === null
      ? {}
      : { NetworkingConfig: { EndpointsConfig: { [plan.network]: { Aliases: [plan.alias] } } } }),
  };
}

/** The daemon takes an empty list for none given; one empty word takes the image's away. */
function entrypointOption(entrypoint: readonly string[]): string[] {
  return entrypoint.length === 0 ? [""] : [...entrypoint];
}

/** What is not given here, the daemon takes from the image. */
function healthCheckOption({ healthCheck }: ContainerPlan): { Healthcheck?: Dockerode.HealthConfig } {
  if (healthCheck === "image") return {};
  if (healthCheck === "none") return { Healthcheck: { Test: ["NONE"] } };
  const slowed = { Interval: minCheckIntervalNs, StartInterval: minCheckIntervalNs };
  return { Healthcheck: slowed };
}

function openFilesOption({ openFiles }: ContainerLimits): Pick<Dockerode.HostConfig, "Ulimits"> {
  return openFiles === null ? {} : { Ulimits: [{ Name: "nofile", Soft: openFiles, Hard: openFiles }] };
}

/** Those of a privileged container are the whole machine's, so there is nothing to take away. */
function rightsOptions({ isPrivileged }: ContainerPlan): Dockerode.HostConfig {
  if (isPrivileged) return { Privileged: true, CapDrop: [], CapAdd: [], SecurityOpt: [] };
  return {
    Privileged: false,
    CapDrop: ["ALL"],
    CapAdd: [...keptCapabilities],
    SecurityOpt: ["no-new-privileges"],
  };
}

function hostConfig(plan: ContainerPlan): Dockerode.HostConfig {
  return {
    NetworkMode: plan.network ?? "none",
    ...(plan.isClosed ? { Dns: [noNameServer] } : {}),
    ExtraHosts: [...plan.extraHosts],
    Mounts: plan.mounts.map((mount) => ({
      Type: "bind",
      Source: mount.source,
      Target: mount.target,
      ReadOnly: mount.readOnly,
    })) as NonNullable<Dockerode.HostConfig["Mounts"]>,
    ...limitOptions(plan.limits),
    ...openFilesOption(plan.limits),
    ...(plan.limits.shmBytes === null ? {} : { ShmSize: plan.limits.shmBytes }),
    ...rightsOptions(plan),
    IpcMode: "private",
    RestartPolicy: { Name: "no" },
    AutoRemove: false,
    LogConfig: { Type: "json-file", Config: { "max-size": `${String(Math.ceil(plan.logBytes / 1024))}k` } },
  };
}
