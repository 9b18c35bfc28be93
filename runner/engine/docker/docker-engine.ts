/** The engine over the Docker API (Docker, or Podman's compatible socket). See `docs/operations/docker.md`. */
import { mkdir, rmdir } from "node:fs/promises";
import { basename } from "node:path";
import { networkFeatures } from "@forgeline/schemas/runners/feature.ts";
import { EngineError, type Engine, type EngineJob, type JobEnvironment, type JobHandle } from "../engine.ts";
import { supervisorPlaces, type EngineContext } from "./context.ts";
import { tryLimits } from "./helper.ts";
import { checkRegistry } from "../../egress/registry-guard.ts";
import { openEgress } from "../../egress/settings.ts";
import { checkClosed, createJobProxies, type ClosedProxy } from "./closed-network.ts";
import { daemonMessage, engineError } from "./daemon.ts";
import { engineKind } from "./daemon-facts.ts";
import { daemonWarnings } from "./daemon-warnings.ts";
import { createEnvironment } from "./environment.ts";
import { createImageCache } from "./image-cache.ts";
import { createImageStore } from "./images.ts";
import { createJobSetSource } from "./job-set-source.ts";
import { readRecord, type JobSet } from "./job-set.ts";
import { jobKeyOf, label } from "./labels.ts";
import { createSpareNetworks } from "./spare-network.ts";
import { openContext, type DockerEngineOptions, type WarmKind } from "./open-context.ts";
import { createPool } from "./pool.ts";
import { removeJob, type Removed } from "./removal.ts";
import { divideLimits } from "./job-limits.ts";
import { createJobServices } from "./services.ts";
import { createSupervisor } from "./supervisor.ts";
import { storageDirectory } from "./storage.ts";
import { sweepJobs } from "./sweep.ts";

async function inEngineWords<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw engineError(error);
  }
}

/** It was not offered here, or the operator has changed their mind. */
function notPrivileged(): EngineError {
  const message = "This runner takes no privileged jobs (FORGELINE_RUNNER_PRIVILEGED).";
  return new EngineError("not_permitted", message);
}

/** Only Podman says that it can what it then refuses; elsewhere a container at each start would tell nothing. */
async function obstacleOf(context: EngineContext): Promise<string | null> {
  return (await context.daemonFacts()).isPodman ? tryLimits(context) : null;
}

export function createDockerEngine(options: DockerEngineOptions): Engine {
  const settings = options.egress ?? openEgress;
  const { context, egress } = openContext(options, settings);
  const { docker, daemon } = context;
  const listed = options.localImages ?? [];
  const imageCache = createImageCache(context, {
    maxBytes: null,
    ...options.imageCache,
    listed: listed === "all" ? [] : listed,
  });
  const images = createImageStore({
    docker,
    daemon,
    localImages: listed,
    checkRegistry: (name) => checkRegistry(name, settings),
    onPulled: imageCache.used,
  });
  const proxies = createJobProxies(settings);
  const pool = createPool(context, options.poolSize ?? 3);
  const spares = createSpareNetworks(context);
  const jobSets = createJobSetSource(context, pool, spares);
  let firstKinds: readonly WarmKind[] = options.warmFirst ?? [];
  let secondLook: NodeJS.Timeout | undefined;

  async function makeDirectories(): Promise<void> {
    await mkdir(context.workDir, { recursive: true, mode: 0o700 });
    await mkdir(context.scriptsDir, { recursive: true, mode: 0o700 });
  }

  async function prepareSet(job: EngineJob): Promise<JobSet> {
    const limits = divideLimits(context.limits, job);
    await makeDirectories();
    const image = await images.resolve(job.image, job.onProgress, job.signal);
    await egress.ensure();
    if (job.network) await checkClosed(context, job.network);
    if (job.isPrivileged && !options.privileged) throw notPrivileged();
    const key = { imageId: image.id, user: job.image.user, extraHosts: job.extraHosts, caFile: job.caFile };
    const set = await jobSets.take(key, job, limits);
    // Only one that could be made is worth having in stock, and only images that are nobody's alone.
    if (!job.image.credentials) pool.remember(key);
    return set;
  }

  /** What was made for a job that cannot have its proxy goes. */
  async function proxyOf({ record }: JobSet): Promise<ClosedProxy | null> {
    try {
      return await proxies.open(record.closed);
    } catch (error) {
      await removeJob(context, record.jobKey);
      context.active.delete(record.jobKey);
      throw error;
    }
  }

  async function stockUp(): Promise<void> {
    await makeDirectories();
    await imageCache.prune();
    await rememberFirst();
    await Promise.all([pool.fill(), spares.fill()]);
  }

  async function rememberFirst(): Promise<void> {
    const kinds = firstKinds;
    firstKinds = [];
    for (const { image, extraHosts, caFile } of kinds) {
      const found = await images.local(image.name);
      if (found !== null) pool.remember({ imageId: found.id, user: image.user, extraHosts, caFile });
    }
  }

  async function reattach(handle: JobHandle): Promise<JobEnvironment | null> {
    const jobKey = basename(handle.jobDir);
    const record = await readRecord(context, jobKey);
    if (record === null || record.leaseKey !== handle.leaseKey) return null;
    const info = await daemon.find(() => docker.getContainer(record.containerId).inspect());
    if (info === null) return null;
    context.active.add(jobKey);
    const supervisor = createSupervisor(supervisorPlaces(context, jobKey, "main"));
    const services = createJobServices(context, images, record);
    await services.resume();
    const { leaseKey, repositoryId } = handle;
    const proxy = await proxies.open(record.closed);
    return createEnvironment(
      { context, images, set: { record, supervisor }, leaseKey, repositoryId, proxy },
      services,
    );
  }

  async function discard(handle: JobHandle): Promise<void> {
    const environment = await reattach(handle);
    if (environment !== null) return environment.destroy();
    await removeJob(context, basename(handle.jobDir));
  }

  async function removeWorkspace(name: string): Promise<void> {
    await removeJob(context, jobKeyOf(name));
    context.active.delete(jobKeyOf(name));
  }

  /** The daemon finishes what a killed agent had requested; that may show only after the first look. */
  async function sweep(keep: ReadonlySet<string>): Promise<Removed> {
    await makeDirectories();
    const removed = await sweepJobs(context, keep);
    clearTimeout(secondLook);
    const again = (): void => {
      sweepJobs(context, keep).catch((error: unknown) => context.onNote(`Sweep: ${daemonMessage(error)}`));
    };
    secondLook = setTimeout(again, options.secondSweepMs ?? 20_000).unref();
    return removed;
  }

  /** No network of this runner is left. */
  async function isLast(): Promise<boolean> {
    const filters = { label: [`${label.runner}=${context.runnerId}`] };
    return docker.listNetworks({ filters }).then(
      (networks) => networks.length === 0,
      () => false,
    );
  }

  return {
    async prepare(job) {
      try {
        const set = await context.quietTime.during(() => prepareSet(job));
        const { leaseKey, repositoryId } = job;
        const proxy = await proxyOf(set);
        return createEnvironment({ context, images, set, leaseKey, repositoryId, proxy });
      } catch (error) {
        job.signal.throwIfAborted();
        throw engineError(error);
      }
    },
    reattach: (handle) => inEngineWords(() => reattach(handle)),
    discard: (handle) => inEngineWords(() => discard(handle)),
    sweep: (keep) => inEngineWords(() => sweep(keep)),
    removeWorkspace: (name) => inEngineWords(() => removeWorkspace(name)),
    images: () => inEngineWords(images.names),
    storageDirectory: () => storageDirectory(context),
    stopPulls: images.stopPulls,
    warnings: () => inEngineWords(() => daemonWarnings(context.docker, context.daemon)),
    obstacle: () => inEngineWords(() => obstacleOf(context)),
    filterEgress: () => egress.start(),
    kind: async () => engineKind(await context.daemonFacts()),
    features: () => [
      ...egress.closes().map((kind) => networkFeatures[kind]),
      ...(options.privileged ? (["privileged"] as const) : []),
    ],
    serverAt: (url) => egress.serverAt(url),
    warm: () =>
      stockUp().catch((error: unknown) =>
        context.onNote(`No container could be prepared for jobs: ${daemonMessage(error)}`),
      ),
    async close() {
      clearTimeout(secondLook);
      context.removals.close();
      proxies.close();
      await Promise.all([pool.close(), spares.close()]);
      await jobSets.close();
      await egress.close(await isLast());
      // In memory nothing stays of a runner that may never start again; jobs that go on keep theirs.
      await rmdir(context.scriptsDir).catch(() => undefined);
    },
  };
}
