/** Divides what a job may take among its containers, so that it gets no more by having more of them. */
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import { EngineError, type JobShape } from "../engine.ts";
import type { ContainerLimits } from "./create-options.ts";

export interface JobLimits {
  /** The container of the steps, and any that a step has to itself (`ownStepLimits`). */
  steps: ContainerLimits;
  services: Record<string, ContainerLimits>;
}

/** With less a container can hardly start. */
const minMemoryBytes = 32 * 1024 ** 2;
const minCpu = 0.05;
/** Of a whole job: a tenth of what everything else on the machine has, so that a job that takes all it can leaves the agent alive. */
const cpuShares = 102;

/** Of a job with one container that asks for nothing: what waits in the pool has this. */
export function plainLimits(limits: RunnerLimits): ContainerLimits {
  return divideLimits(limits, { resources: nothingAsked, services: [], stepContainers: 0 }).steps;
}

const nothingAsked = { cpu: null, memoryBytes: null, shmBytes: null };

/** Throws an `EngineError` (`resources`) that names what the runner allows. */
export function divideLimits(limits: RunnerLimits, shape: JobShape): JobLimits {
  const { resources, services, stepContainers } = shape;
  const forSteps = Array.from({ length: 1 + stepContainers }, () => resources);
  for (const each of [shape, ...services]) checkShm(limits.memoryBytes.max, each.resources.shmBytes);
  checkDisk(limits.diskBytes, resources.diskBytes);
  const memory = divideMemory(limits.memoryBytes, {
    steps: forSteps.map((each) => each.memoryBytes),
    services: services.map((service) => service.resources.memoryBytes),
  });
  const cpu = {
    steps: cpuOfSteps(limits.cpu, resources.cpu),
    services: cpuOfServices(
      limits.cpu,
      services.map((service) => service.resources.cpu),
    ),
  };
  const common = {
    pids: limits.processes,
    openFiles: limits.openFiles,
    cpuShares: Math.max(2, Math.floor(cpuShares / (forSteps.length + services.length))),
  };
  return {
    steps: { ...common, memoryBytes: memory.steps, cpu: cpu.steps, shmBytes: resources.shmBytes },
    services: Object.fromEntries(
      services.map(({ key, resources: { shmBytes } }, at) => [
        key,
        {
          ...common,
          memoryBytes: memory.services[at] ?? minMemoryBytes,
          cpu: cpu.services[at] ?? minCpu,
          shmBytes,
        },
      ]),
    ),
  };
}

/**
 * Of the container that one step has to itself, out of what the container of the steps has. Memory is counted for each that
 * runs at the same time; cores and processes they share.
 */
export function ownStepLimits(steps: ContainerLimits, stepContainers: number): ContainerLimits {
  const sharers = Math.max(1, stepContainers);
  return { ...steps, cpu: steps.cpu / sharers, pids: Math.ceil(steps.pids / sharers) };
}

interface Asked {
  steps: (number | null)[];
  services: (number | null)[];
}

function divideMemory(
  { max, default: unasked }: RunnerLimits["memoryBytes"],
  asked: Asked,
): { steps: number; services: number[] } {
  const all = [...asked.steps, ...asked.services];
  const sum = all.reduce<number>((total, each) => total + (each ?? 0), 0);
  const open = all.filter((each) => each === null).length;
  const needed = sum + open * minMemoryBytes;
  if (needed > max) throw tooMuchMemory(needed, max, asked);
  const budget = needed <= unasked ? unasked : max;
  const each = open === 0 ? 0 : Math.floor((budget - sum) / open);
  return { steps: asked.steps[0] ?? each, services: asked.services.map((one) => one ?? each) };
}

function tooMuchMemory(needed: number, max: number, asked: Asked): EngineError {
  const parts = [
    ...(asked.steps.length > 1 ? [ownStepsWords(asked.steps.length - 1)] : []),
    ...(asked.services.length > 0 ? ["its services"] : []),
  ];
  const counted = parts.length === 0 ? "" : `, counting ${parts.join(" and ")}`;
  return new EngineError(
    "resources",
    `The job needs ${sizeWords(needed)} of memory${counted}; the limit for a job on this runner is ${sizeWords(max)} (FORGELINE_RUNNER_MAX_MEMORY).`,
  );
}

function ownStepsWords(count: number): string {
  if (count === 1) return "as much again for steps with images of their own";
  return `as much again for each of ${count} steps with images of their own that run at the same time`;
}

function cpuOfSteps({ max, default: unasked }: RunnerLimits["cpu"], asked: number | null): number {
  if (asked !== null && asked > max) throw tooMuchCpu("The job asks for", asked, max);
  return asked ?? unasked;
}

/** All of them together have what the steps could have. */
function cpuOfServices(
  { max, default: unasked }: RunnerLimits["cpu"],
  asked: readonly (number | null)[],
): number[] {
  const sum = asked.reduce<number>((total, each) => total + (each ?? 0), 0);
  const open = asked.filter((each) => each === null).length;
  const needed = sum + open * minCpu;
  if (needed > max) throw tooMuchCpu("The services of the job need", needed, max);
  const each = open === 0 ? 0 : ((needed <= unasked ? unasked : max) - sum) / open;
  return asked.map((one) => one ?? Math.floor(each * 100) / 100);
}

function tooMuchCpu(who: string, wanted: number, max: number): EngineError {
  return new EngineError(
    "resources",
    `${who} ${wanted} CPU cores; the limit for a job on this runner is ${max} (FORGELINE_RUNNER_MAX_CPU).`,
  );
}

/** What is in /dev/shm is memory. */
function checkShm(max: number, asked: number | null): void {
  if (asked === null || asked <= max) return;
  throw new EngineError(
    "resources",
    `The job asks for ${sizeWords(asked)} of /dev/shm; the memory limit for a job on this runner is ${sizeWords(max)} (FORGELINE_RUNNER_MAX_MEMORY).`,
  );
}

/** How much a job takes is watched by `DiskQuota`. */
function checkDisk(max: number, asked = 0): void {
  if (asked <= max) return;
  throw new EngineError(
    "resources",
    `The job asks for ${sizeWords(asked)} of disk; the limit for a job on this runner is ${sizeWords(max)} (FORGELINE_RUNNER_MAX_DISK).`,
  );
}

/** As in pipeline files: `2Gi`, `1536Mi`. */
function sizeWords(bytes: number): string {
  const mib = Math.floor(bytes / 1024 ** 2);
  return mib % 1024 === 0 ? `${mib / 1024}Gi` : `${mib}Mi`;
}
