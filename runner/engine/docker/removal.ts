/** Removes all parts of one job, whatever is still there: containers, then network and volume, then directories. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { jobDirectory, type EngineContext } from "./context.ts";
import { label } from "./labels.ts";
import { removeForSure } from "./remove-for-sure.ts";
import { runAsRoot } from "./root-helper.ts";

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
    // What other users wrote is beyond an agent without root, but not beyond a container.
    const script = "rm -rf /job/main /job/workspace /job/step-* /job/services";
    await runAsRoot(context, { jobKey, imageId: imageId ?? (await anyImage(context)), script });
    await rm(jobDir, { recursive: true, force: true });
  }
}

async function anyImage(context: EngineContext): Promise<string> {
  const images = await context.daemon.ask(() => context.docker.listImages());
  const image = images[0];
  if (image === undefined) throw new Error("No image is here to remove the files of a job with.");
  return image.Id;
}
