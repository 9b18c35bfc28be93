/** Removes all parts of one job, whatever is still there: containers, then network and volume, then directories. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { jobDirectory, type EngineContext } from "./context.ts";
import { createOptions } from "./create-options.ts";
import { daemonMessage, statusOf } from "./daemon.ts";
import { label, labelsOf } from "./labels.ts";

export interface Removed {
  containers: number;
  networks: number;
  volumes: number;
}

/** Idempotent. Rejects when something of the job stays. */
export async function removeJob(context: EngineContext, jobKey: string): Promise<Removed> {
  const { docker, daemon } = context;
  const filters = { label: [`${label.job}=${jobKey}`, `${label.runner}=${context.runnerId}`] };
  const [containers, networks, volumes] = await Promise.all([
    daemon.ask(() => docker.listContainers({ all: true, filters })),
    daemon.ask(() => docker.listNetworks({ filters })),
    daemon.ask(() => docker.listVolumes({ filters })),
  ]);
  await Promise.all(
    containers.map(({ Id }) =>
      removeForSure(context, () => docker.getContainer(Id).remove({ force: true, v: true })),
    ),
  );
  const volumeList = volumes.Volumes ?? [];
  await Promise.all([
    ...networks.map(({ Id }) => removeForSure(context, () => docker.getNetwork(Id).remove())),
    ...volumeList.map(({ Name }) => removeForSure(context, () => docker.getVolume(Name).remove())),
  ]);
  await removeDirectories(context, jobKey, containers[0]?.ImageID ?? null);
  return { containers: containers.length, networks: networks.length, volumes: volumeList.length };
}

/** 409: its removal is under way, or a part that uses it is just going. */
async function removeForSure(context: EngineContext, remove: () => Promise<unknown>): Promise<void> {
  for (let pauseMs = 20; ; pauseMs *= 2) {
    try {
      await context.daemon.ask(remove);
      return;
    } catch (error) {
      if (statusOf(error) === 404) return;
      const busy =
        statusOf(error) === 409 || /active endpoints|in use|in progress/.test(daemonMessage(error));
      if (!busy || pauseMs > 10_000) throw error;
    }
    await delay(pauseMs);
  }
}

async function removeDirectories(
  context: EngineContext,
  jobKey: string,
  imageId: string | null,
): Promise<void> {
  const jobDir = jobDirectory(context, jobKey);
  await rm(join(context.scriptsDir, jobKey), { recursive: true, force: true });
  try {
    await rm(jobDir, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    await cleanAsRoot(context, jobKey, imageId ?? (await anyImage(context)));
    await rm(jobDir, { recursive: true, force: true });
  }
}

async function anyImage(context: EngineContext): Promise<string> {
  const images = await context.daemon.ask(() => context.docker.listImages());
  const image = images[0];
  if (image === undefined) throw new Error("No image is here to remove the files of a job with.");
  return image.Id;
}

/** An agent without root cannot remove what other users wrote; a container can. */
async function cleanAsRoot(context: EngineContext, jobKey: string, imageId: string): Promise<void> {
  const { docker, daemon } = context;
  const options = createOptions({
    name: `${jobKey}-cleaner`,
    imageId,
    user: "0:0",
    labels: labelsOf({ runnerId: context.runnerId, leaseKey: jobKey, jobKey }, "cleaner"),
    network: null,
    alias: null,
    extraHosts: [],
    mounts: [{ source: jobDirectory(context, jobKey), target: "/job", readOnly: false }],
    limits: { memoryBytes: null, cpu: null, pids: 64, shmBytes: null },
    entrypoint: ["sh", "-c", "rm -rf /job/main /job/workspace /job/step-* /job/services"],
    command: [],
    env: {},
    workingDir: "/",
    logBytes: 65_536,
  });
  const container = await daemon.ask(() => docker.createContainer(options));
  try {
    await daemon.ask(() => container.start());
    await daemon.ask(() => container.wait());
  } finally {
    await removeForSure(context, () => container.remove({ force: true, v: true }));
  }
}
