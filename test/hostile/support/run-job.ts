/** One job on one runner's engine: prepares it, runs its steps one after the other, removes it, and says how each went. */
import { readdir, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import Dockerode from "dockerode";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import type { Engine, JobEnvironment } from "@forgeline/runner/engine/engine.ts";
import { readJobFile } from "@forgeline/runner/engine/job-file.ts";
import { plainJob } from "../../integration/runner/docker-job.ts";
import { testLimits } from "../../support/runner-limits.ts";
import type { AgentJob, AgentReport, MadeContainer, StepReport } from "./job.ts";

const { signal } = new AbortController();

/** `modem` leads to the daemon. */
export async function runJob(job: AgentJob, modem: Dockerode["modem"]): Promise<AgentReport> {
  const { docker, containers, bridges } = watched(modem, job);
  const engine = engineOf(job, docker);
  const egress = job.egress === null ? null : await engine.filterEgress();
  const environment = await prepared(engine, job);
  const steps = await runSteps(environment, job);
  const counted = await countFiles(environment);
  await environment.endServices();
  const services = await Promise.all(
    environment.services().map(async ({ outputFile }) => (await readJobFile(outputFile, 10_000))?.toString()),
  );
  await environment.destroy();
  await engine.close();
  const left = (await readdir(job.workDir)).filter((name) => name !== ".init");
  const uid = process.getuid?.() ?? -1;
  return { uid, egress, containers, bridges, steps, services, ...counted, left };
}

interface Watched {
  docker: Dockerode;
  containers: MadeContainer[];
  bridges: string[];
}

/** The same daemon; what is made through it is noted. */
function watched(modem: Dockerode["modem"], { workDir, ipv6 }: AgentJob): Watched {
  const docker = Object.assign(new Dockerode(), { modem });
  const [containers, bridges]: [MadeContainer[], string[]] = [[], []];
  const create = docker.createContainer.bind(docker);
  docker.createContainer = (async (options: Dockerode.ContainerCreateOptions) => {
    const container = await create(options);
    containers.push(await described({ docker, workDir }, options, container));
    return container;
  }) as typeof docker.createContainer;
  const createNetwork = docker.createNetwork.bind(docker);
  docker.createNetwork = ((options: Dockerode.NetworkCreateOptions) => {
    if (options.Driver === "bridge") bridges.push(options.Name);
    const both = { EnableIPv6: true, IPAM: { Config: [{ Subnet: ipv6 ?? "" }] } };
    return createNetwork(ipv6 === null ? options : { ...options, ...both });
  }) as typeof docker.createNetwork;
  return { docker, containers, bridges };
}

function engineOf({ runnerId, workDir, openFiles, egress }: AgentJob, docker: Dockerode): Engine {
  return createDockerEngine({
    limits: { ...testLimits, openFiles },
    runnerId,
    workDir,
    docker,
    scriptsDir: `${workDir}-in`,
    poolSize: 0,
    ...(egress === null ? {} : { egress }),
  });
}

async function prepared(engine: Engine, job: AgentJob): Promise<JobEnvironment> {
  const resources = { cpu: null, memoryBytes: null, shmBytes: job.shmBytes };
  const environment = await engine.prepare(
    plainJob(`att_${job.runnerId}-1`, {
      image: job.image,
      resources,
      services: [{ key: "web", resources }],
      stepContainers: Object.keys(job.stepImages).length > 0 ? 1 : 0,
      extraHosts: job.extraHosts,
      caFile: job.caFile,
      ...(job.network === null ? {} : { network: job.network }),
    }),
  );
  await writeFile(`${environment.workspaceDir}/cloned`, "from the repository\n");
  await environment.ready(signal);
  if (job.service === null) return environment;
  const image = job.serviceImage ?? job.image;
  const ready: false | object = job.servicePort !== null && {
    tcp: job.servicePort,
    timeoutMs: 5_000,
    intervalMs: 100,
  };
  const service = { key: "web", image, command: job.service, env: {}, resources, ready };
  await environment.startServices([service as never], () => undefined, signal);
  return environment;
}

async function runSteps(environment: JobEnvironment, job: AgentJob): Promise<StepReport[]> {
  const steps: StepReport[] = [];
  for (const [position, script] of job.steps.entries()) {
    const image = job.stepImages[position] ?? null;
    const command = { position, script, shell: "sh" as const, env: {}, workdir: null, image };
    const running = await environment.runStep(command, signal);
    const exit = await running.wait(AbortSignal.timeout(job.stepTimeoutMs));
    const output = (await readJobFile(running.outputFile, 1_000_000))?.toString() ?? null;
    const written = (await readJobFile(running.ciOutputFile, 10_000))?.toString() ?? null;
    steps.push({ exit, output, written, planted: running.planted });
  }
  return steps;
}

async function countFiles(
  environment: JobEnvironment,
): Promise<Pick<AgentReport, "diskBytes" | "files" | "unlinkedBytes" | "countMs">> {
  const began = performance.now();
  const measured = await environment.diskUsage();
  const countMs = Math.round(performance.now() - began);
  const { bytes: unlinkedBytes } = await environment.unlinkedBytes();
  const [diskBytes = null, files = null] = [measured.bytes, measured.files].map((count) =>
    Number.isFinite(count) ? count : null,
  );
  return { diskBytes, files, unlinkedBytes, countMs };
}

async function described(
  { docker, workDir }: { docker: Dockerode; workDir: string },
  options: Dockerode.ContainerCreateOptions,
  container: Dockerode.Container,
): Promise<MadeContainer> {
  const made = await container.inspect();
  const image = await docker.getImage(made.Image).inspect();
  const mounts = made.Mounts.map(({ Destination, RW }) => `${asListed(Destination)} ${RW ? "rw" : "ro"}`);
  return {
    kind: options.Labels?.["forgeline.kind"] ?? "",
    options,
    image: {
      names: image.RepoTags,
      user: image.Config.User,
      layers: image.RootFS.Layers ?? [],
    },
    user: made.Config.User,
    entrypoint: [made.Path, ...made.Args].map(asListed),
    mounts: [...new Set(mounts)].toSorted(),
    writable: made.Mounts.filter(({ RW }) => RW).map(({ Source }) => relative(workDir, Source)),
    network: made.HostConfig.NetworkMode ?? "",
  };
}

/** As the threat model writes what is drawn at random. */
function asListed(path: string): string {
  return path
    .replace(/^\/forgeline-[0-9a-f]{16}(?=\/|$)/, "/forgeline-ID")
    .replace(/^\/job\/\d+$/, "/job/N")
    .replace(/^\d+(\.\d+){3}$/, "ADDRESS");
}
