/**
 * One whole instance: PostgreSQL, Temporal, the API server, the workflow worker and a runner, each a supervised
 * process. Started in that order, ended in the opposite one.
 */
import { join } from "node:path";
import { findAddresses } from "./addresses.ts";
import { ensureBaseImage } from "./base-image.ts";
import { ensureCertificates, type Certificates } from "./certificates.ts";
import type { LauncherConfig } from "./config.ts";
import type { Console } from "./console.ts";
import { ensureDocker, type FoundDocker } from "./docker/find.ts";
import { makeDownloads } from "./downloads.ts";
import { makeSecrets, readOrCreate, writeJson, type HomePaths, type HomeSecrets } from "./home.ts";
import { choosePorts, type InstancePorts } from "./instance-ports.ts";
import { startCluster, type PostgresCluster } from "./postgres/cluster.ts";
import { findPostgresPrograms } from "./postgres/programs.ts";
import { observeProcess } from "./process-observer.ts";
import { createAdmin, prepareDatabase, serverEnvironment, startNodeProcess } from "./server-processes.ts";
import { startOwnRunner } from "./own-runner.ts";
import type { SupervisedProcess } from "./supervisor.ts";
import { findTemporal } from "./temporal/find.ts";
import { startTemporal } from "./temporal/server.ts";

export interface Instance {
  publicUrl: string;
  jobUrl: string;
  ports: InstancePorts;
  secrets: HomeSecrets;
  certificates: Certificates;
  docker: FoundDocker;
  processes: SupervisedProcess[];
  stop(): Promise<void>;
}

export interface InstanceContext {
  config: LauncherConfig;
  paths: HomePaths;
  console: Console;
}

export async function startInstance(context: InstanceContext): Promise<Instance> {
  const { config, paths, console } = context;
  const processes: SupervisedProcess[] = [];
  const stopAll = async () => {
    for (const child of processes.toReversed()) await child.stop();
  };
  try {
    const docker = await readyDocker(context);
    const ports = await choosePorts(paths, config);
    const secrets = await readOrCreate(paths, "secrets.json", makeSecrets);
    const addresses = await findAddresses(config, docker.client, ports.https);
    const certificates = await ensureCertificates(paths.tls, addresses.certificateHosts);
    const cluster = await readyPostgres(context, ports, secrets, processes);
    const temporalAddress =
      config.temporalAddress ?? (await readyTemporal(context, ports, secrets, processes));
    const facts = { config, paths, ports, addresses, certificates, temporalAddress, cluster };
    await prepareDatabase(facts);
    if (!secrets.admin.token) {
      secrets.admin.token = await createAdmin(facts, secrets.admin);
      await writeJson(paths, "secrets.json", secrets);
    }
    await makeDownloads({
      directory: paths.downloads,
      caFile: certificates.caFile,
      caSha256: certificates.caSha256,
      publicUrl: addresses.publicUrl,
    });
    for (const part of ["api-server", "worker"] as const)
      processes.push(await startNodeProcess(part, serverEnvironment(facts, part), facts, console));
    processes.push(
      await startOwnRunner({ ...facts, token: secrets.admin.token, dockerHost: docker.host }, console),
    );
    const stop = async () => {
      await stopAll();
      await docker.stop();
    };
    return {
      publicUrl: addresses.publicUrl,
      jobUrl: addresses.jobUrl,
      ports,
      secrets,
      certificates,
      docker,
      processes,
      stop,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function readyDocker({ config, console }: InstanceContext): Promise<FoundDocker> {
  const docker = await ensureDocker({
    dockerHost: config.dockerHost,
    env: config.inherited,
    runDirectory: join(config.cache, "docker"),
    say: (text) => console.say("docker", text),
  });
  console.ready("docker", `ready: ${docker.version} at ${docker.origin}`);
  const { built } = await ensureBaseImage(docker.client);
  console.ready(
    "demo image",
    built ? "forgeline/base:1 built from this machine's busybox" : "forgeline/base:1 is here",
  );
  return docker;
}

async function readyPostgres(
  context: InstanceContext,
  ports: InstancePorts,
  secrets: HomeSecrets,
  processes: SupervisedProcess[],
): Promise<PostgresCluster> {
  const { paths, console } = context;
  console.say("postgresql", "starting");
  const observer = await observeProcess(paths, console, "postgresql");
  const cluster = await startCluster({
    programs: await findPostgresPrograms(),
    dataDirectory: paths.postgresql,
    port: ports.postgres,
    secrets: secrets.postgres,
    observer,
  });
  processes.push(cluster.process);
  console.ready("postgresql", `ready on 127.0.0.1:${ports.postgres}`);
  return cluster;
}

async function readyTemporal(
  context: InstanceContext,
  ports: InstancePorts,
  secrets: HomeSecrets,
  processes: SupervisedProcess[],
): Promise<string> {
  const { config, paths, console } = context;
  const say = (text: string) => console.say("temporal", text);
  const programs = await findTemporal({ cache: config.cache, env: config.inherited, say });
  say("starting");
  const observer = await observeProcess(paths, console, "temporal");
  const temporal = await startTemporal({
    programs,
    directory: paths.temporal,
    postgresPort: ports.postgres,
    password: secrets.postgres.temporal,
    ports: ports.temporal,
    env: config.inherited,
    observer,
  });
  processes.push(temporal.process);
  console.ready("temporal", `ready on ${temporal.address}, on the same PostgreSQL`);
  return temporal.address;
}
