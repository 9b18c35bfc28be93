/**
 * One whole instance: PostgreSQL, Temporal, the API server, the workflow worker and a runner, each a supervised
 * process. Ended in the opposite order of their start; a start that fails or is stopped ends what it started.
 */
import { join } from "node:path";
import { findAddresses, listenAddresses, type InstanceAddresses } from "./addresses.ts";
import { ensureCertificates, type Certificates } from "./certificates.ts";
import { forgetTemporalMembers, repairRestored, wasRestored } from "./after-restore.ts";
import type { LauncherConfig } from "./config.ts";
import type { Console } from "./console.ts";
import { ensureDemoImage } from "./demo-image.ts";
import { ensureDocker, type FoundDocker } from "./docker/find.ts";
import { makeDownloads } from "./downloads.ts";
import { makeSecrets, readOrCreate, writeJson, type HomePaths, type HomeSecrets } from "./home.ts";
import { choosePorts, refuseTakenPorts, type InstancePorts } from "./instance-ports.ts";
import { startLocalRunner } from "./local-runner.ts";
import { localTemporalAddress, readyTemporal, findRunningTemporal } from "./local-temporal.ts";
import { postgresAnswers, startCluster, type PostgresCluster } from "./postgres/cluster.ts";
import { findPostgresPrograms } from "./postgres/programs.ts";
import { observeProcess } from "./process-observer.ts";
import {
  createAdmin,
  newestRun,
  prepareDatabase,
  serverEnvironment,
  startNodeProcess,
  type InstanceFacts,
} from "./server-processes.ts";
import { buildWeb } from "./web.ts";
import type { SupervisedProcess } from "./supervisor.ts";
import type { TemporalPrograms } from "./temporal/find.ts";

export interface Instance {
  addresses: InstanceAddresses;
  ports: InstancePorts;
  secrets: HomeSecrets;
  certificates: Certificates;
  processes: SupervisedProcess[];
  /** Of a repository, by a command of the server; null where there is none. */
  newestRun<T>(repository: string): Promise<T | null>;
  stop(): Promise<void>;
}

export interface InstanceContext {
  config: LauncherConfig;
  paths: HomePaths;
  console: Console;
  /** Aborted when the instance is to stop, also while it starts. */
  signal: AbortSignal;
  /** Called when a process that died was started again, with another pid. */
  onRestart?: () => void;
}

/** PostgreSQL replays first what was written while the backup was made. */
const replayTimeoutMs = 3600_000;

/**
 * Rejects with the signal's reason when asked to stop meanwhile; nothing is left running then. Temporal's programs may take
 * minutes to build: only what needs Temporal waits for them.
 */
export async function startInstance(asked: InstanceContext): Promise<Instance> {
  await refuseTakenPorts(asked.config);
  const halt = new AbortController();
  const context = { ...asked, signal: AbortSignal.any([asked.signal, halt.signal]) };
  const seeking = findRunningTemporal(context);
  // Without Temporal there will be no instance: what else is under way ends at once.
  seeking.catch((error: unknown) => halt.abort(error));
  try {
    return await startParts(context, seeking, halt);
  } catch (error) {
    halt.abort(error);
    await Promise.allSettled([seeking]);
    throw error;
  }
}

async function startParts(
  context: InstanceContext,
  seeking: Promise<TemporalPrograms | undefined>,
  halt: AbortController,
): Promise<Instance> {
  const { config, paths, console, signal } = context;
  const docker = await ensureDocker({
    dockerHost: config.dockerHost,
    env: config.inherited,
    runDirectory: join(config.cache, "docker"),
    say: (text) => console.say("docker", text),
    signal,
  });
  const processes: SupervisedProcess[] = [];
  const stop = async () => {
    for (const child of processes.toReversed()) await child.stop();
    await docker.stop();
  };
  try {
    console.ready("docker", `ready: ${docker.version} at ${docker.origin}`);
    await readyDemoImage(docker, context);
    const listen = await listenAddresses(config, docker.client);
    const ports = await choosePorts({ paths, config, listen }, (text) => console.say("ports", text));
    const secrets = await readOrCreate(paths, "secrets.json", makeSecrets);
    const addresses = findAddresses(config, listen, ports.https);
    const certificates = await ensureCertificates(paths.tls, addresses.certificateHosts);
    const cluster = await readyPostgres(context, ports, secrets);
    processes.push(cluster.process);
    const temporalAddress = config.temporalAddress ?? localTemporalAddress(ports);
    const facts = { ...context, ports, addresses, certificates, temporalAddress, cluster };
    if (await wasRestored(paths)) await forgetTemporalMembers(cluster);
    await atOnce(halt, [
      prepare(facts, secrets),
      seeking.then((programs) => readyTemporal(facts, { secrets, programs }, processes)),
    ]);
    await readyServers(facts, { secrets, docker }, processes);
    const askNewestRun: Instance["newestRun"] = (repository) => newestRun(facts, repository);
    return { addresses, ports, secrets, certificates, processes, newestRun: askNewestRun, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for each, so that none is left under way; the first failure ends the others, and is the one that is told. */
async function atOnce(halt: AbortController, tasks: readonly Promise<void>[]): Promise<void> {
  for (const task of tasks) task.catch((error: unknown) => halt.abort(error));
  await Promise.allSettled(tasks);
  halt.signal.throwIfAborted();
}

async function readyDemoImage(docker: FoundDocker, context: InstanceContext): Promise<void> {
  const { config, console, signal } = context;
  const outcome = await ensureDemoImage(docker.client, {
    source: config.demoImage,
    env: config.inherited,
    say: (text) => console.say("demo image", text),
    signal,
  });
  console.ready("demo image", outcome);
}

async function readyPostgres(
  context: InstanceContext,
  ports: InstancePorts,
  secrets: HomeSecrets,
): Promise<PostgresCluster> {
  const { paths, console, signal } = context;
  console.say("postgresql", "starting");
  const probe = () => postgresAnswers(ports.postgres, secrets.postgres.superuser);
  const cluster = await startCluster({
    programs: await findPostgresPrograms(),
    dataDirectory: paths.postgresql,
    port: ports.postgres,
    secrets: secrets.postgres,
    observer: await observeProcess(context, "postgresql", probe),
    readyWithinMs: (await wasRestored(paths)) ? replayTimeoutMs : undefined,
    signal,
  });
  console.ready("postgresql", `ready on 127.0.0.1:${ports.postgres}`);
  return cluster;
}

/** All that the servers need apart from Temporal. */
async function prepare(facts: InstanceFacts, secrets: HomeSecrets): Promise<void> {
  const { paths, certificates, addresses } = facts;
  await prepareDatabase(facts);
  if (await wasRestored(paths)) await repairRestored(facts);
  if (!secrets.admin.token) {
    secrets.admin.token = await createAdmin(facts, secrets.admin);
    await writeJson(paths, "secrets.json", secrets);
  }
  await buildWeb(facts.config, facts.console, facts.signal);
  await makeDownloads({
    directory: paths.downloads,
    caFile: certificates.caFile,
    caSha256: certificates.caSha256,
    publicUrl: addresses.publicUrl,
    cache: facts.config.cache,
  });
}

async function readyServers(
  facts: InstanceFacts,
  { secrets, docker }: { secrets: HomeSecrets; docker: FoundDocker },
  processes: SupervisedProcess[],
): Promise<void> {
  const starts = await Promise.allSettled(
    (["api-server", "worker"] as const).map((part) =>
      startNodeProcess(part, serverEnvironment(facts, part), facts),
    ),
  );
  // One that started is stopped with the rest when the other did not.
  for (const start of starts) if (start.status === "fulfilled") processes.push(start.value);
  for (const start of starts) if (start.status === "rejected") throw start.reason;
  processes.push(
    await startLocalRunner({ ...facts, administrator: secrets.admin.username, dockerHost: docker.host }),
  );
}
