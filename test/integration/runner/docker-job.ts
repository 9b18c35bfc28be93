/** What the tests of the Docker engine share: an engine in a directory of its own, jobs, and reading files of jobs. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Dockerode from "dockerode";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import type { DockerEngineOptions } from "@forgeline/runner/engine/docker/open-context.ts";
import type {
  Engine,
  EngineJob,
  JobEnvironment,
  StepCommand,
  StepExit,
} from "@forgeline/runner/engine/engine.ts";
import { readJobFile } from "@forgeline/runner/engine/job-file.ts";
import { testLimits } from "../../support/runner-limits.ts";

export const never = new AbortController().signal;
export const docker = new Dockerode();

export interface EngineBed {
  engine: Engine;
  runnerId: string;
  workDir: string;
  /** A second agent of the same runner, as after a restart. */
  another(options?: Partial<DockerEngineOptions>): Engine;
  inJob(options: Partial<EngineJob>, run: (environment: JobEnvironment) => Promise<void>): Promise<void>;
  prepare(options?: Partial<EngineJob>): Promise<JobEnvironment>;
  close(): Promise<void>;
}

const none = { cpu: null, memoryBytes: null, shmBytes: null };

/** A job that asks for nothing special. */
export function plainJob(leaseKey: string, more: Partial<EngineJob> = {}): EngineJob {
  return {
    leaseKey,
    repositoryId: "repo_engine",
    image: { name: "forgeline/base:1", user: null },
    resources: none,
    services: [{ key: "web", resources: none }],
    stepContainers: 0,
    sharedWorkspace: null,
    extraHosts: [],
    caFile: null,
    onProgress: () => undefined,
    signal: never,
    ...more,
  };
}

let beds = 0;

export async function engineBed(options: Partial<DockerEngineOptions> = {}): Promise<EngineBed> {
  const workDir = await mkdtemp(join(tmpdir(), "forgeline-engine-"));
  const stem = `${String(process.pid)}${Date.now().toString(36)}x${String((beds += 1))}`;
  const runnerId = `rnr_${stem}`;
  const base = { limits: testLimits, runnerId, workDir, scriptsDir: `${workDir}-in`, poolSize: 0 };
  const engine = createDockerEngine({ ...base, ...options });
  let count = 0;
  const prepare = (job: Partial<EngineJob> = {}): Promise<JobEnvironment> =>
    engine.prepare(plainJob(`att_${stem}${String((count += 1))}-1`, job));
  return {
    engine,
    runnerId,
    workDir,
    prepare,
    another: (more = {}) => createDockerEngine({ ...base, ...options, ...more }),
    async inJob(job, run) {
      const environment = await prepare(job);
      try {
        await environment.ready(never);
        await run(environment);
      } finally {
        await environment.destroy();
      }
    },
    async close() {
      await engine.close();
      await createDockerEngine(base).sweep(new Set());
      await rm(workDir, { recursive: true, force: true });
      await rm(`${workDir}-in`, { recursive: true, force: true });
    },
  };
}

export function step(position: number, script: string, more: Partial<StepCommand> = {}): StepCommand {
  return { position, script, shell: "auto", env: {}, workdir: null, image: null, ...more };
}

export async function textOf(path: string): Promise<string> {
  return (await readJobFile(path, 4_000_000))?.toString() ?? "";
}

export interface Ran {
  exit: StepExit;
  output: string;
}

export async function runToEnd(environment: JobEnvironment, command: StepCommand): Promise<Ran> {
  const running = await environment.runStep(command, never);
  return { exit: await running.wait(never), output: await textOf(running.outputFile) };
}

/** Containers, networks and volumes with this runner's label. */
export async function leftOver(runnerId: string): Promise<string[]> {
  const filters = { label: [`forgeline.runner=${runnerId}`] };
  const [containers, networks, volumes] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  const names = [...containers.flatMap(({ Names }) => Names), ...networks.map(({ Name }) => Name)];
  return [...names, ...(volumes.Volumes ?? []).map(({ Name }) => Name)];
}
