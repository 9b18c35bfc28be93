/**
 * What one job of this runner may take: what its file may request at most, and what a job gets that requests nothing. By default
 * the machine, less a reserve for the runner and the system, is divided by the number of jobs at once, so that no job can take
 * another one's part.
 */
import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import type { LimitSettings } from "./limit-settings.ts";

/** The machine as the limits see it. */
export interface Machine {
  memoryBytes: number;
  cores: number;
  /** Of the disk that holds the runner's directory. */
  diskBytes: number;
  /** null where the file system makes as many as it has room for. */
  files: number | null;
  /** Processes and threads that the kernel numbers at a time. */
  processes: number;
}

const mib = 1024 ** 2;
const minMemoryBytes = 64 * mib;
const minDiskBytes = 64 * mib;
const minFiles = 10_000;
const maxProcesses = 512;
const minProcesses = 64;
/** A job's own container, one of a step, ten services. */
const maxContainers = 12;

export async function readMachine(directory: string): Promise<Machine> {
  const [disk, pidMax] = await Promise.all([
    statfs(directory),
    readFile("/proc/sys/kernel/pid_max", "utf8").catch(() => "32768"),
  ]);
  return {
    memoryBytes: totalmem(),
    cores: availableParallelism(),
    diskBytes: disk.blocks * disk.bsize,
    files: disk.files > 0 ? disk.files : null,
    processes: Number(pidMax) || 32_768,
  };
}

/** Throws an `Error` that names the settings where what jobs get by default is more than what they may have. */
export function jobLimits(
  machine: Machine,
  capacity: number,
  set: LimitSettings & { FORGELINE_RUNNER_MIN_FREE_BYTES: number },
): RunnerLimits {
  const reserve = Math.max(512 * mib, machine.memoryBytes / 10);
  const share = (all: number, least: number) => Math.max(least, Math.floor(all / capacity));
  const limits: RunnerLimits = {
    memoryBytes: withDefault(
      set.FORGELINE_RUNNER_MAX_MEMORY ?? share(machine.memoryBytes - reserve, minMemoryBytes),
      set.FORGELINE_RUNNER_DEFAULT_MEMORY,
    ),
    cpu: withDefault(
      Math.min(machine.cores, set.FORGELINE_RUNNER_MAX_CPU ?? shareOfCores(machine.cores, capacity)),
      set.FORGELINE_RUNNER_DEFAULT_CPU,
    ),
    diskBytes:
      set.FORGELINE_RUNNER_MAX_DISK ??
      share(machine.diskBytes - set.FORGELINE_RUNNER_MIN_FREE_BYTES, minDiskBytes),
    processes: set.FORGELINE_RUNNER_MAX_PROCESSES ?? processesOf(machine, capacity),
    openFiles: set.FORGELINE_RUNNER_MAX_OPEN_FILES ?? null,
    files:
      set.FORGELINE_RUNNER_MAX_FILES ??
      (machine.files === null ? null : share(machine.files * 0.9, minFiles)),
    stepLogBytes: set.FORGELINE_RUNNER_MAX_STEP_LOG ?? null,
    jobMs: set.FORGELINE_RUNNER_MAX_JOB_TIME ?? null,
  };
  checkDefaults(limits);
  return limits;
}

function withDefault(max: number, unasked: number | undefined): { max: number; default: number } {
  return { max, default: unasked ?? max };
}

/** A step that may not use one whole core is slow also where nobody else wants it; weights keep the peace. */
function shareOfCores(cores: number, capacity: number): number {
  return Math.max(1, Math.floor((cores / capacity) * 100) / 100);
}

/** Half of the numbers are left to everything else on the machine. */
function processesOf({ processes }: Machine, capacity: number): number {
  const each = Math.floor(processes / 2 / (capacity * maxContainers));
  return Math.min(maxProcesses, Math.max(minProcesses, each));
}

function checkDefaults(limits: RunnerLimits): void {
  const words = { memoryBytes: "MEMORY", cpu: "CPU" } as const;
  const wrong = (["memoryBytes", "cpu"] as const).filter((name) => limits[name].default > limits[name].max);
  if (wrong.length === 0) return;
  const lines = wrong.map(
    (name) =>
      `FORGELINE_RUNNER_DEFAULT_${words[name]}: at most FORGELINE_RUNNER_MAX_${words[name]}, which is ${limits[name].max}`,
  );
  throw new Error(`the runner's settings are not valid:\n  ${lines.join("\n  ")}`);
}
