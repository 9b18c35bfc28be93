/** Runs on a test instance as a user makes and sees them: pushed with `git`, read over REST, watched on the socket. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type Dockerode from "dockerode";
import { localRequest } from "@forgeline/launcher/https-client.ts";
import type { z } from "zod";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { addressWithToken, createGitClient } from "../integration/git/git-client.ts";
import { eventually } from "./eventually.ts";
import { connectViewer, type TestViewer } from "./log-viewer.ts";
import type { TestInstance, TestRunner } from "./instance.ts";
import { judgeLines, numberedLinesScript, perfect, type LineVerdict } from "./numbered-lines.ts";

type Run = z.infer<typeof Pipeline>;

export interface InstanceRun {
  /** Below `{base_url}`. */
  path: string;
  get(): Promise<Run>;
  /** Resolves once the run has this status; requests that fail meanwhile are tried again. */
  is(status: string, timeoutMs?: number): Promise<Run>;
  /** The whole log of a job's newest attempt, as printed. */
  log(job: string): Promise<string>;
  /** What is wrong with the numbered lines of job `lines-<id>`. */
  judge(lines: NumberedJob): Promise<LineVerdict>;
  /** A viewer on the server at `url` (default: the first). */
  watch(query?: string, url?: string): Promise<TestViewer>;
}

export interface NumberedJob {
  id: number;
  stage: string;
  count: number;
  /** Lines between two pauses of 50 ms. */
  perPause: number;
  more?: Record<string, unknown>;
}

/** A pipeline file whose jobs, `lines-<id>`, print numbered lines. Stages are in the order of their first job. */
export function numberedPipeline(jobs: readonly NumberedJob[]): string {
  // JSON is YAML.
  return JSON.stringify({
    on: ["push", "api"],
    defaults: { image: "forgeline/base:1", timeout: "10m" },
    stages: [...new Set(jobs.map((job) => job.stage))],
    jobs: Object.fromEntries(
      jobs.map(({ id, stage, count, perPause, more }) => [
        `lines-${id}`,
        { stage, steps: [{ run: numberedLinesScript(id, count, perPause) }], ...more },
      ]),
    ),
  });
}

/** Makes a repository with this pipeline file; the push starts the first run. */
export async function pushRun(
  instance: TestInstance,
  file: string,
  files: Record<string, string> = {},
): Promise<InstanceRun> {
  const name = `r${randomBytes(5).toString("hex")}`;
  await instance.api("POST", "/repos", { name });
  const git = await createGitClient(instance.certificates.caFile);
  try {
    const cwd = await git.workTree({ ".forgeline.yml": file, ...files });
    const address = addressWithToken(instance.url, `${instance.adminName}/${name}`, instance.adminToken);
    await git.ok(["push", "-q", address, "HEAD:main"], { cwd });
  } finally {
    await git.remove();
  }
  return openRun(instance, `/repos/${instance.adminName}/${name}/pipelines/1`);
}

/** Starts one more run of the same repository over REST. */
export async function triggerRun(instance: TestInstance, like: InstanceRun): Promise<InstanceRun> {
  const runs = like.path.slice(0, like.path.lastIndexOf("/"));
  const { number } = await instance.api<Run>("POST", runs, { ref: "main" });
  return openRun(instance, `${runs}/${number}`);
}

function openRun(instance: TestInstance, path: string): InstanceRun {
  const { adminToken: token } = instance;
  const caFile = instance.certificates.caFile;
  const run: InstanceRun = {
    path,
    get: () => instance.api<Run>("GET", path),
    is: (status, timeoutMs = 60_000) =>
      eventually(
        async () => {
          const found = await run.get();
          if (found.status === status) return found;
          throw new Error(`the run is ${found.status} (${found.reason ?? "no reason"}), not ${status}`);
        },
        { timeoutMs, intervalMs: 100 },
      ),
    async log(job) {
      const url = `${instance.url}/api/v1${path}/logs?job=${job}&step=0`;
      const answer = await localRequest(url, { caFile, token, accept: "text/plain" });
      if (answer.status !== 200) throw new Error(`log of ${job}: HTTP ${answer.status} ${answer.text}`);
      return answer.text;
    },
    judge: async ({ id, count }) => judgeLines(await run.log(`lines-${id}`), id, count),
    async watch(query = "", url = instance.url) {
      return connectViewer(`${url.replace("https:", "wss:")}/api/v1${path}/logs/stream${query}`, {
        headers: { Authorization: `Bearer ${token}` },
        ca: await readFile(caFile, "utf8"),
      });
    },
  };
  return run;
}

/** Verdicts of all jobs, and what they look like without any fault; for one `expect`. */
export async function verdictsOf(run: InstanceRun, jobs: readonly NumberedJob[]) {
  const found = await Promise.all(jobs.map((job) => run.judge(job)));
  return { found, faultless: jobs.map((job) => perfect(job.count)) };
}

/** Number of attempts of each job. */
export function attemptsOf(run: Run): Record<string, number> {
  const jobs = run.stages.flatMap((stage) => stage.jobs);
  return Object.fromEntries(jobs.map((job) => [job.key, job.attempts.length]));
}

/** Bytes of log that the server has shown so far; 0 while it cannot say. */
export async function logLength(run: InstanceRun, job: string): Promise<number> {
  return (await run.log(job).catch(() => "")).length;
}

export async function runnerId(runner: TestRunner): Promise<string> {
  return (JSON.parse(await readFile(join(runner.directory, "runner.json"), "utf8")) as { id: string }).id;
}

/** Everything in the daemon that carries the runner's label. */
export async function leftovers(docker: Dockerode, id: string): Promise<string[]> {
  const filters = { label: [`forgeline.runner=${id}`] };
  const [containers, networks, volumes] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  return [
    ...containers.map((container) => `container ${container.Names.join()}`),
    ...networks.map((network) => `network ${network.Name}`),
    ...(volumes.Volumes ?? []).map((volume) => `volume ${volume.Name}`),
  ];
}
