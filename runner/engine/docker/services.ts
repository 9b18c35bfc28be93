/** Service containers of one job: start, log, readiness, and taking them up again after a restart of the agent. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type EngineService, type FailedService, type RunningService } from "../engine.ts";
import { ownDirectory, type EngineContext } from "./context.ts";
import { proxyEnvironment } from "./closed-network.ts";
import { createFreshContainer } from "./create-fresh.ts";
import { createOptions } from "./create-options.ts";
import { daemonMessage, engineError, statusOf } from "./daemon.ts";
import type { FoundImage, ImageStore } from "./images.ts";
import type { JobRecord } from "./job-set.ts";
import { label, labelsOf } from "./labels.ts";
import { whenServiceReady } from "./readiness.ts";
import { followServiceLog } from "./service-log.ts";
import { writeServiceSecrets } from "./secret-files.ts";

export interface JobServices {
  start(
    services: readonly EngineService[],
    onService: (service: RunningService) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Follows the logs of services that a former agent started. */
  resume(): Promise<void>;
  list(): RunningService[];
  /** Ends the containers; resolves once all that they printed is in their files, with those that had failed by themselves. */
  end(): Promise<FailedService[]>;
  /** Stops following, wherever that is. The containers go with the job. */
  stop(): Promise<void>;
}

/** One file a service may grow to this, then the daemon's log turns over and the oldest is no longer kept there. */
const logBytes = 256 * 1024 * 1024;

export function createJobServices(
  context: EngineContext,
  images: ImageStore,
  record: JobRecord,
): JobServices {
  const running = new Map<string, RunningService>();
  const follows = new Map<string, Promise<void>>();
  /** Of each container. */
  const keys = new Map<string, string>();
  let ending: Promise<FailedService[]> | null = null;
  const stopped = new AbortController();
  const directory = join(ownDirectory(context, record.jobKey), "services");
  const proxied = proxyEnvironment(record.closed, Object.keys(record.serviceLimits));

  async function follow(key: string, containerId: string): Promise<RunningService> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const service = { key, outputFile: join(directory, `${key}.out`) };
    await writeFile(service.outputFile, "", { flag: "a", mode: 0o600 });
    running.set(key, service);
    keys.set(containerId, key);
    const { docker, daemon, onNote } = context;
    const file = service.outputFile;
    follows.set(
      containerId,
      followServiceLog({ docker, daemon, containerId, file, signal: stopped.signal, onNote }),
    );
    return service;
  }

  async function create(service: EngineService, image: FoundImage, signal: AbortSignal): Promise<string> {
    const owner = {
      runnerId: context.runnerId,
      leaseKey: record.leaseKey ?? record.jobKey,
      jobKey: record.jobKey,
    };
    const limits = record.serviceLimits[service.key];
    if (!limits) throw new EngineError("internal", `No limits are known for service ${service.key}.`);
    const secrets = await writeServiceSecrets(context, record.jobKey, service);
    const options = createOptions({
      name: `${record.jobKey}-service-${service.key}`,
      imageId: image.id,
      user: service.image.user,
      labels: labelsOf(owner, "service", service.key),
      network: record.jobKey,
      isClosed: record.closed !== null,
      isPrivileged: record.isPrivileged,
      alias: service.key,
      extraHosts: record.extraHosts,
      mounts: secrets.mounts,
      limits,
      entrypoint: service.image.entrypoint ?? null,
      command: service.command,
      env: { ...proxied, ...service.env, ...secrets.paths },
      workingDir: null,
      healthCheck: image.isCheckHasty ? "slowed" : "image",
      logBytes,
    });
    const container = await createFreshContainer(context, options, signal);
    try {
      await context.daemon.ask(() => container.start(), signal);
    } catch (error) {
      signal.throwIfAborted();
      const known = engineError(error);
      if (known.code !== "no_shell" && known.code !== "internal") throw known;
      const text = `Service ${service.key} could not be started: ${daemonMessage(error)}`;
      throw new EngineError("service_not_ready", text, { cause: error });
    }
    return container.id;
  }

  /** null: it has not ended by itself, or in success. */
  async function failureOf(containerId: string, key: string): Promise<FailedService | null> {
    const container = context.docker.getContainer(containerId);
    const state = (await context.daemon.find(() => container.inspect(), stopped.signal))?.State;
    if (!state || state.Running || state.ExitCode === 0) return null;
    return { key, exitCode: state.ExitCode, isOom: state.OOMKilled };
  }

  /** One that has ended or is gone is as good as killed. */
  async function kill(containerId: string): Promise<void> {
    try {
      await context.daemon.find(() => context.docker.getContainer(containerId).kill(), stopped.signal);
    } catch (error) {
      if (statusOf(error) !== 409) throw error;
    }
  }

  async function endAll(): Promise<FailedService[]> {
    const failures = [...keys].map(async ([containerId, key]) => {
      const failure = await failureOf(containerId, key);
      await kill(containerId);
      return failure;
    });
    const failed = (await Promise.all(failures)).filter((failure) => failure !== null);
    await Promise.all(follows.values());
    return failed;
  }

  return {
    list: () => [...running.values()],
    async start(services, onService, signal) {
      await Promise.all(
        services.map(async (service) => {
          const image = await images.resolve(service.image, () => undefined, signal);
          const containerId = await create(service, image, signal);
          onService(await follow(service.key, containerId));
          const { docker, daemon } = context;
          const { isRootless } = await context.daemonFacts();
          await whenServiceReady({
            docker,
            daemon,
            containerId,
            service,
            hasHealthCheck: image.hasHealthCheck,
            isReachedFromHere: !isRootless,
            signal,
          });
        }),
      );
    },
    async resume() {
      const filters = { label: [`${label.job}=${record.jobKey}`, `${label.kind}=service`] };
      const containers = await context.daemon.ask(() =>
        context.docker.listContainers({ all: true, filters }),
      );
      for (const { Id, Labels } of containers) {
        const key = Labels[label.part];
        if (key !== undefined) await follow(key, Id);
      }
    },
    end: () => (ending ??= endAll()),
    async stop() {
      stopped.abort();
      await Promise.all(follows.values());
    },
  };
}
