/**
 * One runner's engine, as a program, so that the tests can run it as any user: prepares a job, runs its steps one after the
 * other, removes it, and says on stdout how each went. The description comes as JSON in the first argument.
 */
import { readdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import Dockerode from "dockerode";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import { readJobFile } from "@forgeline/runner/engine/job-file.ts";
import { plainJob } from "../../integration/runner/docker-job.ts";
import type { AgentJob, AgentReport, MadeContainer, StepReport } from "./job.ts";
import { testLimits } from "../../support/runner-limits.ts";

const job = JSON.parse(process.argv[2] ?? "") as AgentJob;
const { signal } = new AbortController();
const { runnerId, workDir } = job;
const containers: MadeContainer[] = [];
const docker = new Dockerode();
const create = docker.createContainer.bind(docker);
docker.createContainer = (async (options: Dockerode.ContainerCreateOptions) => {
  const container = await create(options);
  containers.push(await described(options, container));
  return container;
}) as typeof docker.createContainer;
const bridges: string[] = [];
const createNetwork = docker.createNetwork.bind(docker);
docker.createNetwork = ((options: Dockerode.NetworkCreateOptions) => {
  if (options.Driver === "bridge") bridges.push(options.Name);
  return createNetwork(
    job.ipv6 === null ? options : { ...options, EnableIPv6: true, IPAM: { Config: [{ Subnet: job.ipv6 }] } },
  );
}) as typeof docker.createNetwork;
const scriptsDir = `${workDir}-in`;
const filter = job.egress === null ? {} : { egress: job.egress };
const engine = createDockerEngine({
  limits: { ...testLimits, openFiles: job.openFiles },
  runnerId,
  workDir,
  docker,
  scriptsDir,
  poolSize: 0,
  ...filter,
});
const egress = job.egress === null ? null : await engine.filterEgress();
const resources = { cpu: null, memoryBytes: null, shmBytes: job.shmBytes };

const environment = await engine.prepare(
  plainJob(`att_${runnerId}-1`, {
    image: job.image,
    resources,
    services: [{ key: "web", resources }],
    hasStepImages: Object.keys(job.stepImages).length > 0,
    extraHosts: job.extraHosts,
    caFile: job.caFile,
  }),
);
await writeFile(join(environment.workspaceDir, "cloned"), "from the repository\n");
await environment.ready(signal);
const service = {
  key: "web",
  image: job.serviceImage ?? job.image,
  command: job.service,
  env: {},
  resources,
};
const ready = job.servicePort === null ? false : { tcp: job.servicePort, timeoutMs: 5_000, intervalMs: 100 };
if (job.service !== null) await environment.startServices([{ ...service, ready }], () => undefined, signal);
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
const began = performance.now();
const measured = await environment.diskUsage();
const countMs = Math.round(performance.now() - began);
const { bytes: namelessBytes } = await environment.namelessBytes();
const [diskBytes = null, files = null] = [measured.bytes, measured.files].map((count) =>
  Number.isFinite(count) ? count : null,
);
await environment.endServices();
const services = await Promise.all(
  environment.services().map(async ({ outputFile }) => (await readJobFile(outputFile, 10_000))?.toString()),
);
await environment.destroy();
await engine.close();
const left = (await readdir(workDir)).filter((name) => name !== ".init");
const uid = process.getuid?.() ?? -1;
const report: AgentReport = {
  uid,
  egress,
  containers,
  bridges,
  steps,
  services,
  diskBytes,
  files,
  namelessBytes,
  countMs,
  left,
};
process.stdout.write(JSON.stringify(report));

async function described(
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
  return path.replace(/^\/forgeline-[0-9a-f]{16}(?=\/|$)/, "/forgeline-ID").replace(/^\/job\/\d+$/, "/job/N");
}
