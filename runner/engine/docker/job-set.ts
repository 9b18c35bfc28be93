/**
 * The parts that every job has: directories, network, workspace volume and the container of its steps with the
 * supervisor waiting in it. Made for a lease, or beforehand for the pool.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { PlanNetwork } from "@forgeline/schemas/pipeline-file/plan-network.ts";
import { EngineError } from "../engine.ts";
import { readJobFile } from "../job-file.ts";
import { jobDirectory, workspaceDirectory, type EngineContext } from "./context.ts";
import { closedKind, ClosedNetwork, placeInNetwork } from "./closed-network.ts";
import { makeNetwork } from "./job-network.ts";
import type { ContainerLimits, MountBase } from "./create-options.ts";
import { daemonMessage, engineError } from "./daemon.ts";
import { jobKeyOf, labelsOf, type Owner } from "./labels.ts";
import { removeJob } from "./removal.ts";
import { startSupervised } from "./supervised-container.ts";
import { type Supervisor } from "./supervisor.ts";

const RecordedLimits = z.object({
  memoryBytes: z.number(),
  cpu: z.number(),
  cpuShares: z.number(),
  pids: z.number(),
  openFiles: z.number().nullable(),
  shmBytes: z.number().nullable(),
});

/** Written to `job.json` in the job's directory, which no container sees. */
export const JobRecord = z.object({
  jobKey: z.string(),
  /** null while it waits in the pool. */
  leaseKey: z.string().nullable(),
  repositoryId: z.string().nullable(),
  /** The job key below which its workspace lies; null: its own. */
  workspaceKey: z.string().nullable().default(null),
  containerId: z.string(),
  /** Of our own mounts in that container; those of older runners have none of their own. */
  base: z.custom<MountBase | "/forgeline">((value) => typeof value === "string").default("/forgeline"),
  networkId: z.string(),
  imageId: z.string(),
  user: z.string().nullable(),
  extraHosts: z.array(z.string()),
  caFile: z.string().nullable(),
  limits: RecordedLimits,
  /** As in `JobShape`. */
  stepContainers: z.number().default(1),
  /** Empty until services are known. */
  serviceLimits: z.record(z.string(), RecordedLimits).default({}),
  /** null: as the runner permits. */
  closed: ClosedNetwork.nullable().default(null),
  isPrivileged: z.boolean().default(false),
});
export type JobRecord = z.infer<typeof JobRecord>;

export interface JobSet {
  record: JobRecord;
  supervisor: Supervisor;
}

export interface JobSetRequest {
  owner: Owner;
  leaseKey: string | null;
  repositoryId: string | null;
  /** A shared one; null: one of its own. */
  sharedWorkspace: string | null;
  /** One that was made for this owner before; else it is made now. */
  networkId?: string;
  imageId: string;
  user: string | null;
  limits: ContainerLimits;
  /** Left out until steps are known. */
  stepContainers?: number;
  serviceLimits: Record<string, ContainerLimits>;
  extraHosts: readonly string[];
  caFile: string | null;
  /** Absent: as the runner permits. */
  network?: PlanNetwork;
  /** Absent: no. */
  isPrivileged?: boolean;
  signal: AbortSignal;
}

export async function writeRecord(context: EngineContext, record: JobRecord): Promise<void> {
  await writeFile(join(jobDirectory(context, record.jobKey), "job.json"), JSON.stringify(record), {
    mode: 0o600,
  });
}

/** null when there is none, or when it was not written to its end. */
export async function readRecord(context: EngineContext, jobKey: string): Promise<JobRecord | null> {
  const text = await readJobFile(join(jobDirectory(context, jobKey), "job.json"), 65_536);
  if (text === null) return null;
  try {
    return JobRecord.parse(JSON.parse(text.toString()));
  } catch {
    return null;
  }
}

/** Gives the workspace a name in the daemon, by which operators find it and can look into it. */
async function makeVolume(context: EngineContext, owner: Owner): Promise<void> {
  const device = workspaceDirectory(context, owner.jobKey);
  await mkdir(device, { recursive: true, mode: 0o755 });
  const DriverOpts = { type: "none", o: "bind", device };
  const Labels = labelsOf(owner, "workspace");
  await context.daemon.ask(() =>
    context.docker.createVolume({ Name: owner.jobKey, Driver: "local", DriverOpts, Labels }),
  );
}

/** Its job key where it is shared. The job's own directory is then there all the same, for the rest. */
async function makeWorkspace(
  context: EngineContext,
  { owner, sharedWorkspace }: Pick<JobSetRequest, "owner" | "sharedWorkspace">,
): Promise<string | null> {
  if (sharedWorkspace === null) {
    await makeVolume(context, owner);
    return null;
  }
  const jobKey = jobKeyOf(sharedWorkspace);
  context.active.add(jobKey);
  await mkdir(jobDirectory(context, jobKey), { recursive: true, mode: 0o700 });
  await makeVolume(context, { runnerId: owner.runnerId, leaseKey: sharedWorkspace, jobKey });
  return jobKey;
}

/** What an agent that died while it prepared this very lease left is removed first. */
async function makeJobDirectory(context: EngineContext, jobKey: string): Promise<void> {
  try {
    await mkdir(jobDirectory(context, jobKey), { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await removeJob(context, jobKey);
    await mkdir(jobDirectory(context, jobKey), { mode: 0o700 });
  }
}

async function startMain(
  context: EngineContext,
  request: JobSetRequest,
  network: Promise<string>,
): Promise<JobSet> {
  const workspaceKey = await makeWorkspace(context, request);
  const { owner, imageId, user, limits, extraHosts, caFile, signal } = request;
  const name = owner.jobKey;
  const { containerId, base, supervisor } = await startSupervised(context, {
    owner,
    kind: "job",
    part: "main",
    workspaceKey: workspaceKey ?? owner.jobKey,
    name,
    imageId,
    user,
    limits,
    extraHosts,
    caFile,
    network,
    isClosed: request.network !== undefined,
    isPrivileged: request.isPrivileged ?? false,
    signal,
  });
  const networkId = await network;
  const record: JobRecord = {
    jobKey: owner.jobKey,
    leaseKey: request.leaseKey,
    repositoryId: request.repositoryId,
    workspaceKey,
    containerId,
    base,
    networkId,
    imageId,
    user,
    extraHosts: [...extraHosts],
    caFile,
    limits,
    stepContainers: request.stepContainers ?? 0,
    serviceLimits: request.serviceLimits,
    isPrivileged: request.isPrivileged ?? false,
    closed: request.network ? await placeInNetwork(context, request.network, networkId) : null,
  };
  await writeRecord(context, record);
  return { record, supervisor };
}

/** All or nothing: on failure what was made is removed. Throws `EngineError`. */
export async function makeJobSet(context: EngineContext, request: JobSetRequest): Promise<JobSet> {
  const { owner, signal } = request;
  context.active.add(owner.jobKey);
  let network: Promise<string> | null = null;
  try {
    await makeJobDirectory(context, owner.jobKey);
    const closed = request.network ? closedKind(request.network) : null;
    network =
      request.networkId === undefined
        ? makeNetwork(context, owner, closed)
        : Promise.resolve(request.networkId);
    // Its failure is thrown where it is awaited; until then it must not count as unhandled.
    network.catch(() => undefined);
    return await startMain(context, request, network);
  } catch (error) {
    // Else it could come into being after the removal.
    await Promise.allSettled([network]);
    await removeJob(context, owner.jobKey).catch((failure: unknown) => {
      context.onNote(`${owner.jobKey} could not be removed: ${daemonMessage(failure)}`);
    });
    context.active.delete(owner.jobKey);
    signal.throwIfAborted();
    throw fileError(error);
  }
}

function fileError(error: unknown): EngineError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new EngineError("disk_full", "The runner's disk is full.", { cause: error });
  }
  return engineError(error);
}
