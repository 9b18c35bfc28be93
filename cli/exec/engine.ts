/**
 * The runner's engine for jobs of a developer on their own machine: every job may have the whole machine, images that are here
 * are used without asking a registry, and nothing is kept from the network (`docs/architecture/exec.md`).
 */
import { join } from "node:path";
import type Dockerode from "dockerode";
import { pino, type Logger } from "pino";
import { DiskWatch } from "@forgeline/runner/disk-watch.ts";
import { openEgress } from "@forgeline/runner/egress/settings.ts";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import type { Engine } from "@forgeline/runner/engine/engine.ts";
import { createJob, type JobWiring } from "@forgeline/runner/job/create-job.ts";
import type { CheckOut, OpenFiles } from "@forgeline/runner/job/job-context.ts";
import { createSharedWorkspaces } from "@forgeline/runner/job/shared-workspaces.ts";
import type { RunningJob } from "@forgeline/runner/job/running-job.ts";
import { jobLimits, readMachine } from "@forgeline/runner/limits.ts";
import { createCommitFetcher } from "@forgeline/runner/workspace/fetch-commit.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import type { ExecHome } from "./home.ts";
import type { LocalServer } from "./local-server.ts";

const extraHosts = ["host.docker.internal:host-gateway"];
/** A developer who stops Docker wants to hear of it. */
const daemonPatienceMs = 20_000;
/** With less free, the job that uses most is ended, before the machine comes to a halt. */
const diskReserveBytes = 256 * 1024 ** 2;

/** Each job may take what there is: limits are there to share a machine between people. */
export async function localLimits({ directory }: ExecHome): Promise<RunnerLimits> {
  return jobLimits(await readMachine(directory), 1, { FORGELINE_RUNNER_MIN_FREE_BYTES: 0 });
}

/** `onNote`: something that a developer may want to read. */
export async function engineFor(
  home: ExecHome,
  docker: Dockerode,
  onNote: (line: string) => void,
): Promise<Engine> {
  return createDockerEngine({
    runnerId: home.runnerId,
    workDir: join(home.directory, "jobs"),
    docker,
    limits: await localLimits(home),
    localImages: "all",
    poolSize: 0,
    daemonPatienceMs,
    egress: openEgress,
    // Which jobs may is judged before (restrictions.ts).
    privileged: true,
    onNote,
  });
}

export interface JobMaking {
  home: ExecHome;
  engine: Engine;
  server: LocalServer;
  checkOut: CheckOut;
  openFiles: OpenFiles;
  limits: RunnerLimits;
  onNote: (line: string) => void;
}

export interface JobMaker {
  create(spec: LeaseSpec): RunningJob;
  /** Once all jobs are cleaned up. */
  close(): Promise<void>;
}

/** Nothing has to survive this process, so the state of its jobs is in memory alone. */
export function createJobMaker(making: JobMaking): JobMaker {
  const { home, engine, limits } = making;
  const logger = problemLogger(making.onNote);
  const wiring = wiringOf(making, logger);
  const jobs: RunningJob[] = [];
  const watch = new DiskWatch({
    config: { home: home.directory, diskReserveBytes, limits },
    logger,
    jobs: () => jobs.filter(({ holdsSlot }) => holdsSlot),
    engine,
  });
  // Never rejects; jobs need not wait for it.
  void watch.start();
  return {
    create(spec) {
      const job = createJob(wiring, spec, null);
      jobs.push(job);
      return job;
    },
    close() {
      watch.clear();
      return wiring.sharedWorkspaces.releaseAll();
    },
  };
}

function wiringOf(
  { home, engine, server, checkOut, openFiles, limits }: JobMaking,
  logger: Logger,
): JobWiring {
  const state = { workspaces: new Map(), put: () => undefined, save: async () => {}, remove: async () => {} };
  return {
    config: {
      home: home.directory,
      extraHosts,
      caFile: null,
      hostEnv: {},
      serverUrl: null,
      limits,
      egress: openEgress,
    },
    engine,
    commits: createCommitFetcher(),
    checkOut,
    openFiles,
    state,
    sharedWorkspaces: createSharedWorkspaces({ engine, state, logger }),
    logger,
    link: server.link,
    sender: server.sender,
  };
}

/** Says what only whoever runs the engine can understand. It is the log that the job's message names, so it says so. */
function problemLogger(onNote: (line: string) => void): Logger {
  const write = (line: string) => {
    const { msg, id, err } = JSON.parse(line) as { msg: string; id?: string; err?: { message: string } };
    // Some come as JSON over many lines.
    const cause = err?.message.replaceAll(/\s+/g, " ");
    onNote(`Runner log: ${[id, msg, cause].filter(Boolean).join(": ")}`);
  };
  return pino({ level: "error", base: null }, { write });
}
