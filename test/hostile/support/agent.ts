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
docker.createContainer = ((options: Dockerode.ContainerCreateOptions) => {
  containers.push(described(options));
  return create(options);
}) as typeof docker.createContainer;
const createNetwork = docker.createNetwork.bind(docker);
docker.createNetwork = ((options: Dockerode.NetworkCreateOptions) =>
  createNetwork(
    job.ipv6 === null ? options : { ...options, EnableIPv6: true, IPAM: { Config: [{ Subnet: job.ipv6 }] } },
  )) as typeof docker.createNetwork;
const scriptsDir = `${workDir}-in`;
const filter = job.egress === null ? {} : { egress: job.egress };
const engine = createDockerEngine({
  limits: testLimits,
  runnerId,
  workDir,
  docker,
  scriptsDir,
  poolSize: 0,
  ...filter,
});
const egress = job.egress === null ? null : await engine.filterEgress();
const none = { cpu: null, memoryBytes: null, shmBytes: null };

const environment = await engine.prepare(
  plainJob(`att_${runnerId}-1`, {
    image: job.image,
    extraHosts: job.extraHosts,
  }),
);
await writeFile(join(environment.workspaceDir, "cloned"), "from the repository\n");
await environment.ready(signal);
const service = { key: "web", image: job.image, command: job.service, env: {}, resources: none };
const ready = job.servicePort === null ? false : { tcp: job.servicePort, timeoutMs: 5_000, intervalMs: 100 };
if (job.service !== null) await environment.startServices([{ ...service, ready }], () => undefined, signal);
const steps: StepReport[] = [];
for (const [position, script] of job.steps.entries()) {
  const command = { position, script, shell: "sh" as const, env: {}, workdir: null, image: null };
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
  steps,
  services,
  diskBytes,
  files,
  namelessBytes,
  countMs,
  left,
};
process.stdout.write(JSON.stringify(report));

function described({
  Labels,
  Image,
  Entrypoint,
  HostConfig,
}: Dockerode.ContainerCreateOptions): MadeContainer {
  const mounts = (HostConfig?.Mounts ?? []).map(
    ({ Target, ReadOnly }) => `${asListed(Target)} ${ReadOnly === true ? "ro" : "rw"}`,
  );
  const writable = (HostConfig?.Mounts ?? []).filter(({ ReadOnly }) => ReadOnly !== true);
  return {
    kind: Labels?.["forgeline.kind"] ?? "",
    imageId: Image ?? "",
    entrypoint: Entrypoint === undefined ? null : [Entrypoint].flat().map(asListed),
    mounts: [...new Set(mounts)].toSorted(),
    writable: writable.map(({ Source }) => relative(workDir, Source)),
    isOnHost: HostConfig?.NetworkMode === "host",
    capabilities: HostConfig?.CapAdd ?? [],
  };
}

/** As the threat model writes what is drawn at random. */
function asListed(path: string): string {
  return path.replace(/^\/forgeline-[0-9a-f]{16}(?=\/|$)/, "/forgeline-ID").replace(/^\/job\/\d+$/, "/job/N");
}
