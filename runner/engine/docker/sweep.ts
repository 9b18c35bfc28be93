/** Finds what a former agent of this runner left: in the daemon by label, on the disk by name. */
import { mkdir, readdir } from "node:fs/promises";
import type { EngineContext } from "./context.ts";
import { daemonMessage } from "./daemon.ts";
import { readRecord } from "./job-set.ts";
import { jobKeyOf, label } from "./labels.ts";
import { removeJob, type Removed } from "./removal.ts";

async function jobKeysInDaemon(context: EngineContext): Promise<Set<string>> {
  const { docker, daemon } = context;
  const filters = { label: [`${label.runner}=${context.runnerId}`] };
  const [containers, networks, volumes] = await Promise.all([
    daemon.ask(() => docker.listContainers({ all: true, filters })),
    daemon.ask(() => docker.listNetworks({ filters })),
    daemon.ask(() => docker.listVolumes({ filters })),
  ]);
  const keys = new Set<string>();
  for (const { Labels } of [...containers, ...networks, ...(volumes.Volumes ?? [])]) {
    const key = (Labels as Record<string, string> | null | undefined)?.[label.job];
    // A label is text that anybody with the daemon could have set; it becomes a path below.
    if (key !== undefined && /^forgeline-[\w.-]+$/.test(key)) keys.add(key);
  }
  return keys;
}

async function jobKeysOnDisk(directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return (await readdir(directory)).filter((name) => /^forgeline-[\w.-]+$/.test(name));
}

async function isKept(context: EngineContext, jobKey: string, keep: ReadonlySet<string>): Promise<boolean> {
  if (context.active.has(jobKey)) return true;
  for (const leaseKey of keep) if (jobKeyOf(leaseKey) === jobKey) return true;
  // One that waited in the pool first has another name; its record tells the lease that took it.
  const leaseKey = (await readRecord(context, jobKey))?.leaseKey;
  return leaseKey !== undefined && leaseKey !== null && keep.has(leaseKey);
}

/** Goes on when one job cannot be removed; the next sweep tries again. */
export async function sweepJobs(context: EngineContext, keep: ReadonlySet<string>): Promise<Removed> {
  const keys = await jobKeysInDaemon(context);
  for (const directory of [context.workDir, context.scriptsDir]) {
    for (const key of await jobKeysOnDisk(directory)) keys.add(key);
  }
  const sum: Removed = { containers: 0, networks: 0, volumes: 0 };
  for (const jobKey of keys) {
    if (await isKept(context, jobKey, keep)) continue;
    try {
      const removed = await removeJob(context, jobKey);
      sum.containers += removed.containers;
      sum.networks += removed.networks;
      sum.volumes += removed.volumes;
    } catch (error) {
      context.onNote(`${jobKey} could not be removed: ${daemonMessage(error)}`);
    }
  }
  return sum;
}
