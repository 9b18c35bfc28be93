/** The environment of one job in Docker; see `JobEnvironment` for what its methods promise. */
import { execFile } from "node:child_process";
import { access, lstat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  EngineError,
  type JobEnvironment,
  type RunningStep,
  type StepCommand,
  type StepExit,
} from "../engine.ts";
import {
  jobDirectory,
  limitsFor,
  supervisorDirectories,
  workspaceDirectory,
  type EngineContext,
} from "./context.ts";
import { daemonMessage } from "./daemon.ts";
import { jobDiskBytes } from "./job-disk.ts";
import type { ImageStore } from "./images.ts";
import type { JobSet } from "./job-set.ts";
import { removeJob } from "./removal.ts";
import { runAsRoot } from "./root-helper.ts";
import { createJobServices, type JobServices } from "./services.ts";
import { makeOutputFiles, runningStep, type StepPlace } from "./step-run.ts";
import { stepLauncher } from "./step-script.ts";
import { startSupervised } from "./supervised-container.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";

const run = promisify(execFile);

export interface EnvironmentParts {
  context: EngineContext;
  images: ImageStore;
  set: JobSet;
  leaseKey: string;
  repositoryId: string;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Why a container's processes are gone, in words; asked of the daemon, which may be away as well. */
async function whyLost(context: EngineContext, container: string): Promise<StepExit> {
  try {
    const info = await context.daemon.find(() => context.docker.getContainer(container).inspect());
    if (info === null)
      return { kind: "container_lost", message: "The job's container was removed from outside." };
    if (info.State.OOMKilled) return { kind: "oom" };
    const code = String(info.State.ExitCode);
    return { kind: "container_lost", message: `The job's container ended by itself (exit code ${code}).` };
  } catch (error) {
    return { kind: "container_lost", message: `The job's container is gone: ${daemonMessage(error)}` };
  }
}

/** As the image's user sees it: whoever wrote the supervisor's first file. */
async function giveWorkspaceToUser(
  parts: EnvironmentParts,
  workspaceDir: string,
  signal: AbortSignal,
): Promise<void> {
  const { context, set } = parts;
  const { uid, gid } = await lstat(join(set.supervisor.directories.stateDir, "ready"));
  const own = process.getuid?.();
  if (uid === own && gid === process.getgid?.()) return;
  if (own === 0) {
    // No job has run yet, so nothing in the tree can be a trap; -h leaves targets of links alone all the same.
    await run("chown", ["-hR", `${String(uid)}:${String(gid)}`, workspaceDir], { signal });
    return;
  }
  // Not by exec: in a container of another user, root has no capabilities.
  const { jobKey, imageId } = set.record;
  const script = 'chown -hR "$(stat -c %u:%g /job/main/state/ready)" /job/workspace';
  const { code, text } = await runAsRoot(context, { jobKey, imageId, script });
  signal.throwIfAborted();
  if (code !== 0)
    throw new EngineError("internal", `The workspace could not be given to the image's user: ${text}`);
}

export function createEnvironment(parts: EnvironmentParts, services?: JobServices): JobEnvironment {
  const { context, set, images } = parts;
  const { record } = set;
  const jobDir = jobDirectory(context, record.jobKey);
  const workspaceDir = workspaceDirectory(context, record.jobKey);
  const jobServices = services ?? createJobServices(context, images, record);
  const stepContainerName = (position: number): string => `${record.jobKey}-step-${String(position)}`;

  function placeOf(supervisor: Supervisor, container: string): StepPlace {
    return {
      supervisor,
      pidsLimit: record.limits.pids,
      whyLost: () => whyLost(context, container),
      killContainer: async () => {
        await context.daemon.ask(() => context.docker.getContainer(container).kill()).catch(() => undefined);
      },
    };
  }

  async function ownContainer(command: StepCommand, signal: AbortSignal): Promise<StepPlace> {
    const image = command.image;
    if (image === null) return placeOf(set.supervisor, record.containerId);
    const found = await images.resolve(image.name, () => undefined, signal);
    const name = stepContainerName(command.position);
    const { supervisor } = await startSupervised(context, {
      owner: { runnerId: context.runnerId, leaseKey: parts.leaseKey, jobKey: record.jobKey },
      kind: "step",
      part: `step-${String(command.position)}`,
      name,
      imageId: found.id,
      user: image.user,
      limits: limitsFor(context.caps, record.limits),
      extraHosts: record.extraHosts,
      caFile: record.caFile,
      network: Promise.resolve(),
      signal,
    });
    return placeOf(supervisor, name);
  }

  /** Of a step that was started earlier, perhaps by an agent before this one. */
  async function placeOfStarted(position: number): Promise<StepPlace> {
    const own = supervisorDirectories(context, record.jobKey, `step-${String(position)}`);
    if (await exists(own.stateDir)) return placeOf(createSupervisor(own), stepContainerName(position));
    return placeOf(set.supervisor, record.containerId);
  }

  return {
    handle: {
      leaseKey: parts.leaseKey,
      repositoryId: parts.repositoryId,
      jobDir,
      containerId: record.containerId,
      networkId: record.networkId,
      volume: record.jobKey,
    },
    workspaceDir,
    ready: (signal) => giveWorkspaceToUser(parts, workspaceDir, signal),
    startServices: jobServices.start,
    services: jobServices.list,
    endServices: jobServices.end,
    async runStep(command, signal): Promise<RunningStep> {
      const file = `/forgeline/out/step-${String(command.position)}`;
      const launcher = stepLauncher(command, { CI_OUTPUT: `${file}.ci`, CI_SUMMARY: `${file}.summary` });
      const place = await ownContainer(command, signal);
      await makeOutputFiles(place.supervisor, command.position);
      await place.supervisor.start(command.position, launcher, command.script);
      return runningStep(place, command.position);
    },
    async reattachStep(position) {
      const place = await placeOfStarted(position);
      return (await place.supervisor.begun(position)) ? runningStep(place, position) : null;
    },
    diskBytes: () => jobDiskBytes(context, record.jobKey),
    async destroy() {
      await jobServices.stop();
      await context.calm.whenCalm();
      await removeJob(context, record.jobKey);
      context.active.delete(record.jobKey);
    },
  };
}
