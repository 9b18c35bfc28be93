/** What a job runs in: a container that was waiting in stock, or else one made for it. */
import { isDeepStrictEqual } from "node:util";
import { EngineError, type EngineJob } from "../engine.ts";
import type { EngineContext } from "./context.ts";
import { limitOptions, type ContainerLimits } from "./create-options.ts";
import { daemonMessage } from "./daemon.ts";
import type { JobLimits } from "./job-limits.ts";
import { makeJobSet, writeRecord, type JobSet } from "./job-set.ts";
import { jobKeyOf } from "./labels.ts";
import type { Pool, PoolKey } from "./pool.ts";
import { removeJob } from "./removal.ts";
import type { SpareNetwork, SpareNetworks } from "./spare-network.ts";

export interface JobSetSource {
  /** Throws what the engine's `prepare` does. */
  take(key: PoolKey, job: EngineJob, limits: JobLimits): Promise<JobSet>;
  /** Resolves when the containers have their names. */
  close(): Promise<void>;
}

export function createJobSetSource(context: EngineContext, pool: Pool, spares: SpareNetworks): JobSetSource {
  const { docker, daemon } = context;
  const renames = new Set<Promise<void>>();

  /** So that people find the container by its lease; nothing depends on it. */
  function rename(set: JobSet, leaseKey: string): void {
    const container = docker.getContainer(set.record.containerId);
    const renaming: Promise<void> = container.rename({ name: jobKeyOf(leaseKey) }).then(
      () => void renames.delete(renaming),
      () => void renames.delete(renaming),
    );
    renames.add(renaming);
  }

  async function bind(set: JobSet, job: EngineJob, { steps: limits, services }: JobLimits): Promise<void> {
    const { hasControlGroups } = await context.daemonFacts();
    if (hasControlGroups && !sameLimits(set.record.limits, limits)) {
      const container = docker.getContainer(set.record.containerId);
      await daemon.ask(() => container.update(limitOptions(limits)), job.signal);
    }
    const { leaseKey, repositoryId, stepContainers } = job;
    const found = { leaseKey, repositoryId, limits, stepContainers, serviceLimits: services };
    set.record = { ...set.record, ...found };
    await writeRecord(context, set.record);
    rename(set, leaseKey);
  }

  async function throwAway(set: JobSet): Promise<void> {
    await removeJob(context, set.record.jobKey).catch((error: unknown) =>
      context.onNote(daemonMessage(error)),
    );
    context.active.delete(set.record.jobKey);
  }

  async function fromPool(key: PoolKey, job: EngineJob, limits: JobLimits): Promise<JobSet | null> {
    // Those that wait are in networks of the usual kind, have no rights, and have a workspace already.
    if (limits.steps.shmBytes !== null || job.network !== undefined || job.isPrivileged) return null;
    if (job.sharedWorkspace !== null) return null;
    for (let set = pool.take(key); set !== null; set = pool.take(key)) {
      if (await set.supervisor.alive()) {
        try {
          await bind(set, job, limits);
          return set;
        } catch (error) {
          context.onNote(`A prepared container could not be used: ${daemonMessage(error)}`);
        }
      }
      await throwAway(set);
      job.signal.throwIfAborted();
    }
    return null;
  }

  async function makeCold(key: PoolKey, job: EngineJob, divided: JobLimits): Promise<JobSet> {
    const { leaseKey, repositoryId, stepContainers, signal } = job;
    const named = { owner: { runnerId: context.runnerId, leaseKey, jobKey: jobKeyOf(leaseKey) } };
    const { steps: limits, services: serviceLimits } = divided;
    const { network, isPrivileged = false, sharedWorkspace } = job;
    const asked = { isPrivileged, sharedWorkspace, ...(network === undefined ? {} : { network }) };
    const what = {
      ...key,
      ...asked,
      leaseKey,
      repositoryId,
      limits,
      stepContainers,
      serviceLimits,
      signal,
    };
    let place: typeof named | SpareNetwork = network === undefined ? ((await spares.take()) ?? named) : named;
    for (;;) {
      try {
        const set = await makeJobSet(context, { ...what, ...place });
        if (place !== named) rename(set, leaseKey);
        return set;
      } catch (error) {
        // Addresses that waiting containers hold are better used by a job.
        if (!(error instanceof EngineError) || error.code !== "address_pool" || !(await pool.shrink()))
          throw error;
        place = named;
      }
    }
  }

  return {
    take: async (key, job, limits) => (await fromPool(key, job, limits)) ?? makeCold(key, job, limits),
    async close() {
      await Promise.all(renames);
    },
  };
}

function sameLimits(a: ContainerLimits, b: ContainerLimits): boolean {
  return isDeepStrictEqual(limitOptions(a), limitOptions(b));
}
