/** What one job takes of the disk: its directory, and the layers that its containers wrote. */
import { diskUsage } from "../disk-usage.ts";
import { jobDirectory, type EngineContext } from "./context.ts";
import { label } from "./labels.ts";

/** Rejects when the daemon does not answer. */
export async function jobDiskBytes(context: EngineContext, jobKey: string): Promise<number> {
  const filters = { label: [`${label.job}=${jobKey}`, `${label.runner}=${context.runnerId}`] };
  const [directory, containers] = await Promise.all([
    diskUsage(jobDirectory(context, jobKey)),
    context.docker.listContainers({ all: true, size: true, filters }),
  ]);
  const written = containers.map((container) => (container as { SizeRw?: number }).SizeRw ?? 0);
  return written.reduce((sum, bytes) => sum + bytes, directory);
}
