/** Row 77: what a job may take where neither its file nor the operator says, and where they do. */
import Dockerode from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Pipeline, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import type { Runner } from "@forgeline/schemas/runners/resource.ts";
import { eventually } from "../support/eventually.ts";
import type { TestRunner } from "../support/instance.ts";
import { endAll } from "../support/program.ts";
import { createProject, jobOf, type Project } from "../support/project.ts";
import { sharedInstance, type SharedInstance } from "../support/shared-instance.ts";

const image = "forgeline/base:1";
const mib = 1024 ** 2;

let instance: SharedInstance;
let project: Project;
let docker: Dockerode;
let run: Pipeline;
const own: TestRunner[] = [];
/** Memory of the containers of job `shared`, while it ran. */
let memories: number[] = [];
beforeAll(async () => {
  instance = await sharedInstance();
  docker = new Dockerode({ socketPath: instance.bed.dockerSocket });
  own.push(
    await instance.addRunner("narrow", {
      capacity: 8,
      labels: ["narrow"],
      env: {
        FORGELINE_RUNNER_MAX_MEMORY: "160Mi",
        FORGELINE_RUNNER_DEFAULT_MEMORY: "96Mi",
        FORGELINE_RUNNER_MAX_CPU: "1.5",
        FORGELINE_RUNNER_MAX_DISK: "64Mi",
        FORGELINE_RUNNER_MAX_FILES: "3000",
        FORGELINE_RUNNER_MAX_PROCESSES: "40",
        FORGELINE_RUNNER_MAX_OPEN_FILES: "300",
        FORGELINE_RUNNER_MAX_STEP_LOG: "1Mi",
      },
    }),
    await instance.addRunner("hasty", {
      labels: ["hasty"],
      env: { FORGELINE_RUNNER_MAX_JOB_TIME: "3s" },
    }),
  );
  project = await createProject(instance, "greedy");
  const { sha } = await project.push({ ".forgeline.yml": JSON.stringify({ jobs }) });
  memories = await eventually(async () => memoriesOf(jobOf(await project.runOf(sha), "shared")), {
    timeoutMs: 30_000,
  });
  run = await project.finished(sha, 100_000);
});
afterAll(async () => {
  await project?.remove();
  await endAll(
    own.map(({ program }) => program),
    "SIGINT",
  );
});

/** Undefined until its step and both services run; the step does not wait for services without a check. */
async function memoriesOf(job: RunJob): Promise<number[] | undefined> {
  if (job.attempts[0]?.steps[0]?.status !== "running") return undefined;
  const attempt = job.attempts[0]?.id ?? "";
  const found = await docker.listContainers({ filters: { label: [`forgeline.lease=${attempt}-1`] } });
  if (found.length < 3) return undefined;
  const infos = await Promise.all(found.map(({ Id }) => docker.getContainer(Id).inspect()));
  return infos.map((info) => (info.HostConfig.Memory ?? 0) / mib).toSorted((a, b) => a - b);
}

const job = (step: string | Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  image,
  runner: ["narrow"],
  steps: [step],
  retry: 0,
  ...more,
});
const service = { image, command: ["sleep", "1000"], ready: false };
const jobs = {
  healthy: job("i=0; while [ $i -lt 20 ]; do echo $i; sleep 0.1; i=$((i+1)); done"),
  "all-memory": job("x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done"),
  "more-memory": job("true", { resources: { memory: "161Mi" } }),
  "more-in-services": job("true", {
    resources: { memory: "100Mi" },
    services: { one: { ...service, resources: { memory: "100Mi" } } },
  }),
  "more-cores": job("true", { resources: { cpu: 4 } }),
  shared: job("sleep 4", { services: { one: service, two: { ...service, resources: { memory: "24Mi" } } } }),
  // Where the runner's directory is in memory, its files are memory of the job.
  disk: job("dd if=/dev/zero of=big bs=1M count=96; sleep 1000", { resources: { memory: "160Mi" } }),
  files: job("i=0; while [ $i -lt 5000 ]; do : >f$i; i=$((i+1)); done; sleep 1000"),
  forks: job("while :; do sleep 1000 & done"),
  "open-files": job("ulimit -n"),
  log: job("yes 0123456789 | head -c 3000000"),
  time: job({ run: "while :; do echo on; sleep 1; done" }, { timeout: "1h", runner: ["hasty"] }),
};

const ends: [keyof typeof jobs, Partial<RunJob>, RegExp][] = [
  ["healthy", { status: "success" }, /^/],
  ["all-memory", { status: "failed", reason: "oom" }, /memory/],
  ["more-memory", { status: "error", reason: "resources" }, /needs 161Mi .* 160Mi .*_MAX_MEMORY/],
  ["more-in-services", { status: "error", reason: "resources" }, /needs 200Mi .* counting its services/],
  ["more-cores", { status: "error", reason: "resources" }, /4 CPU cores.* 1\.5 .*_MAX_CPU/],
  ["shared", { status: "success" }, /^/],
  ["disk", { status: "failed", reason: "disk_quota" }, /limit is 64 MiB .*_MAX_DISK/],
  ["files", { status: "failed", reason: "disk_quota" }, /limit is 3000 .*_MAX_FILES/],
  ["forks", { status: "failed", reason: "exit:2" }, /limit of 40 processes/],
  ["log", { status: "success" }, /^/],
  ["time", { status: "failed", reason: "timeout" }, /_MAX_JOB_TIME/],
];

test.each(ends)("%s ends as it should, at its first attempt", (key, end, says) => {
  const ended = jobOf(run, key);
  expect(ended, JSON.stringify(ended)).toMatchObject(end);
  expect(ended.attempts).toHaveLength(1);
  expect([ended.message, ended.attempts[0]?.message].join("\n")).toMatch(says);
});

test("a job gets no more memory by having more containers", () => {
  expect(memories).toEqual([24, 36, 36]);
});

test("a process has the operator's number of open files", async () => {
  expect((await project.log(run, "job=open-files&step=0")).toString()).toBe("300\n");
});

test("of a long log the middle is left out where the operator keeps less than the server", async () => {
  const log = await project.log(run, "job=log&step=0");
  expect(log.length).toBeLessThan(mib + 200);
  expect(log.toString()).toMatch(/\n\[forgeline: \d+ bytes, \d+ lines left out;/);
});

test("the limits are told over REST", async () => {
  const runners = await instance.api<Runner[]>("GET", "/runners");
  expect(runners.find(({ name }) => name === "hasty")?.limits?.job_seconds).toBe(3);
  expect(runners.find(({ name }) => name === "narrow")?.limits).toEqual({
    memory_bytes: { max: 160 * mib, default: 96 * mib },
    cpu: { max: 1.5, default: 1.5 },
    disk_bytes: 64 * mib,
    files: 3000,
    processes: 40,
    open_files: 300,
    step_log_bytes: mib,
    job_seconds: null,
  });
});
