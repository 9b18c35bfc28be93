/**
 * What one job takes of the disk: its directory, and what its containers write outside of it. Counted by our own walk, since
 * the daemon's figure leaves out what a job can put its bytes into (`written-paths.ts`).
 */
import { access, constants } from "node:fs/promises";
import { diskUsage, sumOfUsage } from "../disk-usage.ts";
import type { DiskUsage } from "../engine.ts";
import { installInit } from "../../init/program.ts";
import { walkTree, type TreeOutcome } from "../../init/trees.ts";
import { initDirectory, mountedDirectories, ownDirectory, type EngineContext } from "./context.ts";
import { countInContainer } from "./helper.ts";
import type { JobRecord } from "./job-set.ts";
import { isStorageApart } from "./storage.ts";
import { isAnyContainerGone, writtenPaths, type WrittenPaths } from "./written-paths.ts";

type JobOnDisk = Pick<JobRecord, "jobKey" | "workspaceKey">;

const timeoutMs = 20_000;
/** Containers come and go with steps; a count that met that begins again. */
const maxTries = 3;
/** An image that names so many volumes hides what they take. */
const maxDirectories = 500;

const unknown: DiskUsage = { bytes: Infinity, files: Infinity };

/** With a shared workspace it counts as if it were its own. Infinity when it cannot be told: what hides from being counted counts as most. Rejects when the daemon does not answer. */
export async function jobDiskUsage(context: EngineContext, job: JobOnDisk): Promise<DiskUsage> {
  return sumOfUsage(
    await Promise.all([
      countChanged(context, job),
      // Logs have a second name in the spool, so that a walk which shares a file among its names would count half.
      diskUsage(ownDirectory(context, job.jobKey)),
    ]),
  );
}

async function countChanged(context: EngineContext, job: JobOnDisk): Promise<DiskUsage> {
  for (let tries = 1; ; tries += 1) {
    const places = await writtenPaths(context, job.jobKey);
    try {
      const counted = await countOnce(context, job, places);
      if (Number.isFinite(counted.bytes) || tries === maxTries) return counted;
    } catch (error) {
      if (tries === maxTries) throw error;
      if (!(await isAnyContainerGone(context, places))) throw error;
      continue;
    }
    if (!(await isAnyContainerGone(context, places))) return unknown;
  }
}

async function countOnce(context: EngineContext, job: JobOnDisk, places: WrittenPaths): Promise<DiskUsage> {
  if (places.directories.length > maxDirectories) return unknown;
  const { jobKey } = job;
  const mounted = mountedDirectories(context, job);
  const told = { bytes: places.toldBytes, files: 0 };
  if (!(await isStorageApart(context)))
    return sumOfUsage([await countAll(context, jobKey, [...mounted, ...places.directories]), told]);
  // One after the other: helpers of a job have one name.
  const here = await countAll(context, jobKey, mounted);
  const there = sumOfUsage([await countAll(context, jobKey, places.directories), told]);
  return sumOfUsage([here, { ...there, daemonBytes: there.bytes }]);
}

async function countAll(
  context: EngineContext,
  jobKey: string,
  directories: readonly string[],
): Promise<DiskUsage> {
  if (directories.length === 0) return { bytes: 0, files: 0 };
  const here = await walkHere(context, directories);
  return usageOf(here ?? (await countInContainer(context, { jobKey, directories, timeoutMs })));
}

/** null where this process may not, or does not see what the daemon sees, as where it runs in a container itself. */
async function walkHere(context: EngineContext, directories: readonly string[]): Promise<TreeOutcome | null> {
  const seen = directories.map((directory) => access(directory, constants.R_OK | constants.X_OK));
  // Asked first, since a walk that is refused at its end has cost as much as one that is not.
  if ((await Promise.allSettled(seen)).some(({ status }) => status === "rejected")) return null;
  const program = await installInit(initDirectory(context));
  const outcome = await walkTree(program, ["usage", ...directories], timeoutMs);
  return outcome.kind === "denied" || outcome.kind === "failed" ? null : outcome;
}

function usageOf({ kind, text }: TreeOutcome): DiskUsage {
  const [, bytes, files] = (kind === "done" && /^(\d+) (\d+)$/.exec(text)) || [];
  return { bytes: Number(bytes ?? Infinity), files: Number(files ?? Infinity) };
}
