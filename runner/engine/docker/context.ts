/** What all parts of the Docker engine share: the daemon, the runner's settings, where files lie. */
import { join } from "node:path";
import type Dockerode from "dockerode";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import type { EgressFilter } from "../../egress/filter.ts";
import type { QuietTime } from "./quiet-time.ts";
import type { Daemon } from "./daemon.ts";
import type { DaemonFacts } from "./daemon-facts.ts";
import type { OwnImage } from "./own-image.ts";
import type { RemovalQueue } from "./removal-queue.ts";
import type { SupervisorPlaces } from "./supervisor.ts";

export interface EngineContext {
  docker: Dockerode;
  daemon: Daemon;
  daemonFacts: () => Promise<DaemonFacts>;
  runnerId: string;
  ownImage: OwnImage;
  /** Directories of jobs; absolute, mode 0700. */
  workDir: string;
  /** Scripts with their environment; on a memory file system where the machine has one; mode 0700. */
  scriptsDir: string;
  limits: RunnerLimits;
  quietTime: QuietTime;
  /** What containers of jobs may reach. */
  egress: EgressFilter;
  /** Grows with every job; the sweep leaves these alone. */
  active: Set<string>;
  /** Jobs that could not be removed at the first try. */
  removals: RemovalQueue;
  /** Something an operator may want to read; never holds values of a job. */
  onNote: (line: string) => void;
}

/** The runner's own: no container ever sees it, only what is in `mountedDirectory`. */
export function jobDirectory(context: EngineContext, jobKey: string): string {
  return join(context.workDir, jobKey);
}

/** What containers of the job may change; nothing in it is trusted. */
export function mountedDirectory(context: EngineContext, jobKey: string): string {
  return join(jobDirectory(context, jobKey), "mounted");
}

/** Journals and logs of the job, once no container sees them. */
export function ownDirectory(context: EngineContext, jobKey: string): string {
  return join(jobDirectory(context, jobKey), "own");
}

export function workspaceDirectory(context: EngineContext, jobKey: string): string {
  return join(mountedDirectory(context, jobKey), "workspace");
}

/** Of a job with a shared workspace there are two. */
export function mountedDirectories(
  context: EngineContext,
  { jobKey, workspaceKey }: { jobKey: string; workspaceKey: string | null },
): string[] {
  const own = mountedDirectory(context, jobKey);
  return workspaceKey === null ? [own] : [own, mountedDirectory(context, workspaceKey)];
}

/** `part` is `main`, or `step-<n>` for a step with an image of its own. */
export function supervisorPlaces(context: EngineContext, jobKey: string, part: string): SupervisorPlaces {
  const scripts = join(context.scriptsDir, jobKey, part);
  return {
    inDir: join(scripts, "in"),
    control: join(scripts, "control"),
    outDir: join(mountedDirectory(context, jobKey), part),
    ownDir: join(ownDirectory(context, jobKey), part),
  };
}

/** Where `forgeline-init` lies, which every container that runs steps has as its process 1. */
export function initDirectory(context: Pick<EngineContext, "workDir">): string {
  return join(context.workDir, ".init");
}
