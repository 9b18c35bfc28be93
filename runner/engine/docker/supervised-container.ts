/** Makes and starts a container that runs the supervisor: that of a job, or of a step with its own image. */
import type Dockerode from "dockerode";
import { crashPoint } from "../../crash-point.ts";
import { EngineError } from "../engine.ts";
import { installInit } from "../../init/program.ts";
import { initDirectory, supervisorPlaces, workspaceDirectory, type EngineContext } from "./context.ts";
import { createFreshContainer } from "./create-fresh.ts";
import {
  createOptions,
  type ContainerLimits,
  type ContainerMount,
  type ContainerPlan,
  type MountBase,
} from "./create-options.ts";
import { daemonMessage, engineError } from "./daemon.ts";
import { newMountBase } from "./mount-base.ts";
import { labelsOf, type Owner } from "./labels.ts";
import { lastOutput } from "./last-output.ts";
import { createSupervisor, makeSupervisorPlaces, type Supervisor } from "./supervisor.ts";

export interface SupervisedRequest {
  owner: Owner;
  kind: "job" | "step";
  part: string;
  /** The job key below which the workspace lies. */
  workspaceKey: string;
  name: string;
  imageId: string;
  user: string | null;
  limits: ContainerLimits;
  extraHosts: readonly string[];
  caFile: string | null;
  /** Settles when the job's network is there. */
  network: Promise<unknown>;
  /** That network has no way out. */
  isClosed: boolean;
  isPrivileged: boolean;
  signal: AbortSignal;
}

async function planOf(
  context: EngineContext,
  request: SupervisedRequest,
  base: MountBase,
): Promise<ContainerPlan> {
  const { inDir, outDir } = supervisorPlaces(context, request.owner.jobKey, request.part);
  const init = await installInit(initDirectory(context));
  const bind = (source: string, target: ContainerMount["target"], readOnly: boolean): ContainerMount => ({
    source,
    target,
    readOnly,
  });
  const mounts: ContainerMount[] = [
    // Not the volume of the same directory: after a crash of the daemon, releases before 23 count its mounts
    // wrongly and never let it be removed.
    bind(workspaceDirectory(context, request.workspaceKey), "/workspace", false),
    bind(inDir, `${base}/in`, true),
    bind(outDir, `${base}/out`, false),
    bind(init, `${base}/init`, true),
  ];
  if (request.caFile !== null) mounts.push(bind(request.caFile, "/forgeline/ca.pem", true));
  return {
    name: request.name,
    imageId: request.imageId,
    user: request.user,
    labels: labelsOf(request.owner, request.kind, request.part),
    network: request.owner.jobKey,
    isClosed: request.isClosed,
    isPrivileged: request.isPrivileged,
    alias: null,
    extraHosts: request.extraHosts,
    mounts,
    limits: request.limits,
    entrypoint: [`${base}/init`, "supervise", base],
    command: [],
    env: {},
    workingDir: "/workspace",
    healthCheck: "none",
    logBytes: 65_536,
  };
}

/** Docker needs the network at the start only; where a daemon wants it earlier (Podman), the second try has it. */
async function createBesideNetwork(
  context: EngineContext,
  request: SupervisedRequest,
  base: MountBase,
): Promise<Dockerode.Container> {
  const options = createOptions(await planOf(context, request, base));
  try {
    return await createFreshContainer(context, options, request.signal);
  } catch (error) {
    request.signal.throwIfAborted();
    await request.network;
    if (!/network/i.test(daemonMessage(error))) throw error;
    return createFreshContainer(context, options, request.signal);
  }
}

export interface Supervised {
  containerId: string;
  base: MountBase;
  supervisor: Supervisor;
}

/** Throws `EngineError`; what was made carries the job's label and goes with the job. */
export async function startSupervised(
  context: EngineContext,
  request: SupervisedRequest,
): Promise<Supervised> {
  const { signal } = request;
  const places = supervisorPlaces(context, request.owner.jobKey, request.part);
  const base = newMountBase();
  const made = await makeSupervisorPlaces(places);
  const container = await createBesideNetwork(context, request, base);
  crashPoint(`${request.kind}-container.created-before-started`);
  try {
    await request.network;
    await context.daemon.ask(() => container.start(), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw engineError(error);
  }
  const supervisor = createSupervisor(places, made);
  const isRunning = async (): Promise<boolean> =>
    (await context.daemon.find(() => container.inspect(), signal))?.State.Running === true;
  const ready = await supervisor.whenReady(isRunning, signal);
  if (ready === null) throw await startFailure(context, container);
  if (!ready.hasShell)
    throw new EngineError("no_shell", "The image has no `sh`, which a job needs to run its steps.");
  return { containerId: container.id, base, supervisor };
}

async function startFailure(context: EngineContext, container: Dockerode.Container): Promise<EngineError> {
  const words = await lastOutput(context.daemon, container, 5);
  return new EngineError("internal", `The supervisor of steps could not start: ${words}`);
}
