/** What one job takes of the disk: its directory, and the layers that its containers wrote. */
import { sumOfUsage } from "../disk-usage.ts";
import type { DiskUsage } from "../engine.ts";
import { placeInit } from "../../init/program.ts";
import { walkTree, type TreeOutcome } from "../../init/trees.ts";
import { initDirectory, ownDirectory, type EngineContext } from "./context.ts";
import { walkMounted } from "./helper.ts";
import { label } from "./labels.ts";

const timeoutMs = 20_000;

/** Infinity when it cannot be told: what hides from being counted counts as most. Rejects when the daemon does not answer. */
export async function jobDiskUsage(context: EngineContext, jobKey: string): Promise<DiskUsage> {
  const filters = { label: [`${label.job}=${jobKey}`, `${label.runner}=${context.runnerId}`] };
  const program = await placeInit(initDirectory(context));
  const [mounted, own, containers] = await Promise.all([
    walkMounted(context, { jobKey, directory: "all", task: ["usage"], timeoutMs }),
    walkTree(program, ["usage", ownDirectory(context, jobKey)], timeoutMs),
    context.docker.listContainers({ all: true, size: true, filters }),
  ]);
  const written = containers.map((container) => (container as { SizeRw?: number }).SizeRw ?? 0);
  return sumOfUsage([usageOf(mounted), usageOf(own), ...written.map((bytes) => ({ bytes, files: 0 }))]);
}

function usageOf({ kind, text }: TreeOutcome): DiskUsage {
  const [, bytes, files] = (kind === "done" && /^(\d+) (\d+)$/.exec(text)) || [];
  return { bytes: Number(bytes ?? Infinity), files: Number(files ?? Infinity) };
}
