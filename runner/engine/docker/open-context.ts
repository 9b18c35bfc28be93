/** What an engine is told, and what all its parts share. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import Dockerode from "dockerode";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import type { EgressFilter } from "../../egress/filter.ts";
import type { EgressSettings } from "../../egress/settings.ts";
import type { EngineJob } from "../engine.ts";
import type { EngineContext } from "./context.ts";
import { createDaemonFacts } from "./daemon-facts.ts";
import { createDaemon } from "./daemon.ts";
import { createDockerEgress } from "./egress.ts";
import type { ImageCacheOptions } from "./image-cache.ts";
import { createOwnImage } from "./own-image.ts";
import { createQuietTime } from "./quiet-time.ts";
import { createRemovalQueue } from "./removal-queue.ts";
import { removeParts } from "./removal.ts";

export interface WarmKind {
  image: EngineJob["image"];
  extraHosts: readonly string[];
  caFile: string | null;
}

export interface DockerEngineOptions {
  runnerId: string;
  /** Directories of jobs are made below; on a disk that the daemon sees under the same path. */
  workDir: string;
  /** Scripts with their environment. Default: below /dev/shm, else in `workDir`. */
  scriptsDir?: string;
  /** Default: `DOCKER_HOST` or the usual socket. */
  docker?: Dockerode;
  limits: RunnerLimits;
  /** Number of waiting containers; 0 for none. Default 3, one for each job of a short pipeline. */
  poolSize?: number;
  /** Images to have waiting before any job requested one; only local ones are used. */
  warmFirst?: readonly WarmKind[];
  /** Images that are used without asking a registry, beside those that were made on the machine. `all`: whatever is on it. */
  localImages?: readonly string[] | "all";
  /** Limit of what is kept of images that were pulled for jobs. Default: none. */
  imageCache?: Omit<ImageCacheOptions, "listed">;
  /** How long the daemon may be away. Default five minutes. */
  daemonPatienceMs?: number;
  /** When to look again after a sweep. Default 20 s. */
  secondSweepMs?: number;
  /** What jobs may reach. Default: everything. */
  egress?: EgressSettings;
  /** Jobs may be privileged. Default: none. */
  privileged?: boolean;
  onNote?: (line: string) => void;
  /** Default: as notes. */
  onWarning?: (line: string) => void;
}

function scriptsDirectory(options: DockerEngineOptions): string {
  if (options.scriptsDir !== undefined) return resolve(options.scriptsDir);
  const safeId = options.runnerId.replaceAll(/[^\w.-]/g, "-");
  return existsSync("/dev/shm")
    ? `/dev/shm/forgeline-runner-${safeId}`
    : join(resolve(options.workDir), ".scripts");
}

const removalPauses = { firstPauseMs: 5_000, lastPauseMs: 300_000 };

/** What all parts of one engine share. */
export function openContext(
  options: DockerEngineOptions,
  settings: EgressSettings,
): { context: EngineContext; egress: EgressFilter } {
  const docker = options.docker ?? new Dockerode();
  const daemon = createDaemon(options.daemonPatienceMs ?? 300_000);
  const onNote = options.onNote ?? (() => undefined);
  const parts: Omit<EngineContext, "egress"> = {
    docker,
    daemon,
    daemonFacts: createDaemonFacts(docker, daemon),
    runnerId: options.runnerId,
    ownImage: createOwnImage(docker, daemon),
    workDir: resolve(options.workDir),
    scriptsDir: scriptsDirectory(options),
    limits: options.limits,
    quietTime: createQuietTime(),
    active: new Set(),
    removals: createRemovalQueue({ ...removalPauses, remove: (jobKey) => removeAgain(jobKey) }),
    onNote,
  };
  const egress = createDockerEgress(parts, settings, options.onWarning ?? onNote);
  const context: EngineContext = { ...parts, egress };
  async function removeAgain(jobKey: string): Promise<void> {
    await removeParts(context, jobKey);
    context.active.delete(jobKey);
  }
  return { context, egress };
}
