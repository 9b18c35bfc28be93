/** The environment of one job in Docker; see `JobEnvironment` for what its methods promise. */
import { access } from "node:fs/promises";
import type { DiskUsage, JobEnvironment, RunningStep, StepCommand, StepExit } from "../engine.ts";
import { jobDirectory, supervisorPlaces, workspaceDirectory, type EngineContext } from "./context.ts";
import { proxyEnvironment, type ClosedProxy } from "./closed-network.ts";
import { openContainerFiles } from "./container-files.ts";
import { daemonMessage } from "./daemon.ts";
import { jobDiskUsage } from "./job-disk.ts";
import type { ImageStore } from "./images.ts";
import { ownStepLimits } from "./job-limits.ts";
import type { JobSet } from "./job-set.ts";
import { unlinkedBytes } from "./unlinked-files.ts";
import { removeJob } from "./removal.ts";
import { stepSecretFiles } from "./secret-files.ts";
import { createJobServices, type JobServices } from "./services.ts";
import { endLeftShells, openDockerShell } from "./shell.ts";
import { makeStepFiles } from "./step-files.ts";
import { runningStep, type StepPlace } from "./step-run.ts";
import { stepLauncher } from "./step-script.ts";
import { createFence, fencedExitCode, fencedMessage } from "./fence.ts";
import { startSupervised } from "./supervised-container.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";
import { createWorkspaceTurns, takeWorkspace } from "./workspace-owner.ts";

interface StepContainer {
  place: StepPlace;
  /** Of our own mounts in it. */
  base: string;
}

export interface EnvironmentParts {
  context: EngineContext;
  images: ImageStore;
  set: JobSet;
  leaseKey: string;
  repositoryId: string;
  /** Of a job that may reach some hosts only. */
  proxy: ClosedProxy | null;
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
      return {
        kind: "container_lost",
        message: "The job's container was removed by something other than the runner.",
      };
    if (info.State.OOMKilled) return { kind: "oom" };
    if (info.State.ExitCode === fencedExitCode) return { kind: "container_lost", message: fencedMessage };
    const code = String(info.State.ExitCode);
    return { kind: "container_lost", message: `The job's container ended by itself (exit code ${code}).` };
  } catch (error) {
    return { kind: "container_lost", message: `The job's container is gone: ${daemonMessage(error)}` };
  }
}

export function createEnvironment(parts: EnvironmentParts, services?: JobServices): JobEnvironment {
  const { context, set, images } = parts;
  const { record } = set;
  const jobDir = jobDirectory(context, record.jobKey);
  const workspaceKey = record.workspaceKey ?? record.jobKey;
  const workspaceDir = workspaceDirectory(context, workspaceKey);
  const jobServices = services ?? createJobServices(context, images, record);
  const stepContainerName = (position: number): string => `${record.jobKey}-step-${String(position)}`;

  const ownLimits = ownStepLimits(record.limits, record.stepContainers);
  const fence = createFence(set.supervisor);
  const turns = createWorkspaceTurns(parts);

  function stepPlaceIn(supervisor: Supervisor, container: string): StepPlace {
    const isOwn = container !== record.containerId;
    return {
      supervisor,
      pidsLimit: (isOwn ? ownLimits : record.limits).pids,
      isOwn,
      whyLost: () => whyLost(context, container),
      killContainer: async () => {
        await context.daemon.ask(() => context.docker.getContainer(container).kill()).catch(() => undefined);
      },
    };
  }

  async function containerFor(command: StepCommand, signal: AbortSignal): Promise<StepContainer> {
    const image = command.image;
    if (image === null) return { place: stepPlaceIn(set.supervisor, record.containerId), base: record.base };
    const found = await images.resolve(image, () => undefined, signal);
    const name = stepContainerName(command.position);
    const { supervisor, base } = await startSupervised(context, {
      owner: { runnerId: context.runnerId, leaseKey: parts.leaseKey, jobKey: record.jobKey },
      kind: "step",
      part: `step-${String(command.position)}`,
      workspaceKey,
      name,
      imageId: found.id,
      user: image.user,
      limits: ownLimits,
      extraHosts: record.extraHosts,
      caFile: record.caFile,
      network: Promise.resolve(),
      isClosed: record.closed !== null,
      isPrivileged: record.isPrivileged,
      signal,
    });
    await fence.add(supervisor);
    return { place: stepPlaceIn(supervisor, name), base };
  }

  /** Of a step that was started earlier, perhaps by an agent before this one. */
  async function findStartedPlace(position: number): Promise<StepPlace> {
    const own = supervisorPlaces(context, record.jobKey, `step-${String(position)}`);
    if (await exists(own.ownDir)) {
      const supervisor = createSupervisor(own);
      await fence.add(supervisor);
      return stepPlaceIn(supervisor, stepContainerName(position));
    }
    return stepPlaceIn(set.supervisor, record.containerId);
  }

  let counting: Promise<DiskUsage> | null = null;
  /** Concurrent callers share one count: two helpers would have the same name. */
  function diskUsage(): Promise<DiskUsage> {
    counting ??= jobDiskUsage(context, record).finally(() => (counting = null));
    return counting;
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
    ready: turns.ready,
    files: (signal) => openContainerFiles(parts, signal),
    openWorkspace: () => takeWorkspace(parts),
    startServices: jobServices.start,
    services: jobServices.list,
    endServices: jobServices.end,
    refusedHosts: () => parts.proxy?.refused() ?? [],
    async runStep(command, signal): Promise<RunningStep> {
      const { place, base } = await containerFor(command, signal);
      await turns.begin(command.position, (await place.supervisor.journal()).ready, signal);
      const proxied = proxyEnvironment(record.closed, Object.keys(record.serviceLimits));
      const env = { ...proxied, ...command.env };
      const file = `${base}/out/step-${String(command.position)}`;
      const { paths, secretFiles } = stepSecretFiles(command, `${base}/in`);
      const written = {
        CI_OUTPUT: `${file}.ci`,
        CI_SUMMARY: `${file}.summary`,
        CI_ANNOTATIONS: `${file}.annotations`,
      };
      const launcher = stepLauncher({ ...command, env }, { ...paths, ...written });
      const planted = await makeStepFiles(place.supervisor.places, command.position);
      await place.supervisor.start(command.position, { launcher, script: command.script, secretFiles });
      return { ...turns.until(runningStep(place, command.position)), planted };
    },
    async reattachStep(position) {
      const place = await findStartedPlace(position);
      const { begun } = await place.supervisor.journal();
      return begun.has(position) ? turns.until(runningStep(place, position)) : null;
    },
    async openShell(command, signal) {
      signal.throwIfAborted();
      return openDockerShell(context.docker, record.containerId, command);
    },
    endShells: () => endLeftShells(context.docker, record.containerId),
    fence: fence.set,
    diskUsage,
    unlinkedBytes: () => unlinkedBytes(context, record.jobKey),
    async destroy() {
      await jobServices.stop();
      parts.proxy?.close();
      await context.quietTime.whenQuiet();
      await removeJob(context, record.jobKey);
      context.active.delete(record.jobKey);
    },
  };
}
