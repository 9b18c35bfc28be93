/** Removes all parts of one job, whatever is still there: containers, then network and volume, then directories. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { jobDirectory, type EngineContext } from "./context.ts";
import { walkMounted } from "./helper.ts";
import { label } from "./labels.ts";
import { removeWithRetries } from "./remove-with-retries.ts";

export interface Removed {
  containers: number;
  networks: number;
  volumes: number;
}

/** What a walk of ten million files takes; whoever waits for a removal waits shorter. */
const filesTimeoutMs = 10 * 60_000;

/** Idempotent. Rejects when something of the job stays; then it is tried again later. */
export async function removeJob(context: EngineContext, jobKey: string): Promise<Removed> {
  try {
    return await removeParts(context, jobKey);
  } catch (error) {
    context.removals.add(jobKey);
    throw error;
  }
}

/** Tried once. */
export async function removeParts(context: EngineContext, jobKey: string): Promise<Removed> {
  const { docker, daemon } = context;
  const filters = { label: [`${label.job}=${jobKey}`, `${label.runner}=${context.runnerId}`] };
  const [containers, networks, volumes] = await Promise.all([
    daemon.ask(() => docker.listContainers({ all: true, filters })),
    daemon.ask(() => docker.listNetworks({ filters })),
    daemon.ask(() => docker.listVolumes({ filters })),
  ]);
  await Promise.all(
    containers.map(({ Id }) =>
      removeWithRetries(context, () => docker.getContainer(Id).remove({ force: true, v: true })),
    ),
  );
  const volumeList = volumes.Volumes ?? [];
  await Promise.all([
    ...networks.map(({ Id }) => removeWithRetries(context, () => docker.getNetwork(Id).remove())),
    ...volumeList.map(({ Name }) => removeWithRetries(context, () => docker.getVolume(Name).remove())),
  ]);
  await removeDirectories(context, jobKey);
  return { containers: containers.length, networks: networks.length, volumes: volumeList.length };
}

/** No container of the job is left, so that nothing changes while it is walked. */
async function removeDirectories(context: EngineContext, jobKey: string): Promise<void> {
  await rm(join(context.scriptsDir, jobKey), { recursive: true, force: true });
  const outcome = await walkMounted(context, {
    jobKey,
    directory: "all",
    task: ["remove"],
    timeoutMs: filesTimeoutMs,
  });
  if (outcome.kind !== "done")
    throw new Error(`Files of ${jobKey} could not be removed (${outcome.kind}): ${outcome.text}`);
  await rm(jobDirectory(context, jobKey), { recursive: true, force: true, maxRetries: 3 });
}
