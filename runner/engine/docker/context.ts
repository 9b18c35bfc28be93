/** What all parts of the Docker engine share: the daemon, the runner's settings, where files lie. */
import { join } from "node:path";
import type Dockerode from "dockerode";
import type { PlanResources } from "@forgeline/schemas/pipeline/plan.ts";
import type { z } from "zod";
import type { Calm } from "./calm.ts";
import type { ContainerLimits } from "./create-options.ts";
import type { Daemon } from "./daemon.ts";
import type { SupervisorDirectories } from "./supervisor.ts";

/** The most that a container of this runner may use; a job that asks for nothing gets exactly this. */
export interface LimitCaps {
  memoryBytes: number | null;
  cpu: number | null;
  pids: number;
}

export interface EngineContext {
  docker: Dockerode;
  daemon: Daemon;
  runnerId: string;
  /** Directories of jobs; absolute, mode 0700. */
  workDir: string;
  /** Scripts with their environment; on a memory file system where the machine has one; mode 0700. */
  scriptsDir: string;
  caps: LimitCaps;
  calm: Calm;
  /** Grows with every job; the sweep leaves these alone. */
  active: Set<string>;
  /** Something an operator may want to read; never holds values of a job. */
  onNote: (line: string) => void;
}

export function jobDirectory(context: EngineContext, jobKey: string): string {
  return join(context.workDir, jobKey);
}

export function workspaceDirectory(context: EngineContext, jobKey: string): string {
  return join(jobDirectory(context, jobKey), "workspace");
}

/** `part` is `main`, or `step-<n>` for a step with an image of its own. */
export function supervisorDirectories(
  context: EngineContext,
  jobKey: string,
  part: string,
): SupervisorDirectories {
  const base = join(jobDirectory(context, jobKey), part);
  return {
    inDir: join(context.scriptsDir, jobKey, part),
    outDir: join(base, "out"),
    stateDir: join(base, "state"),
  };
}

function lower(wanted: number | null, cap: number | null): number | null {
  if (wanted === null || cap === null) return wanted ?? cap;
  return Math.min(wanted, cap);
}

export function limitsFor(caps: LimitCaps, resources: z.infer<typeof PlanResources>): ContainerLimits {
  return {
    memoryBytes: lower(resources.memoryBytes, caps.memoryBytes),
    cpu: lower(resources.cpu, caps.cpu),
    pids: caps.pids,
    shmBytes: resources.shmBytes,
  };
}
