/** Steps that eat all there is end with a reason that names it, and the job beside them does not notice. */
import Dockerode from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Pipeline, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import { eventually } from "../support/eventually.ts";
import { counted } from "../support/counted.ts";
import { leftovers } from "../support/instance-run.ts";
import { startTestInstance, type TestInstance } from "../support/instance.ts";
import { createProject, jobOf, type Project } from "../support/project.ts";
import { endAll } from "../support/program.ts";
import { size } from "../support/size.ts";
import { mountSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import { importTestImage } from "../support/test-image.ts";

const image = "forgeline/base:1";
const noShell = "forgeline-test/no-shell:1";
const stepLogBytes = 256 * 1024;
const floodBytes = size(3_000_000, 300_000_000);
const maxFiles = size(3_000, 200_000);
const mib = 1024 * 1024;

let instance: TestInstance;
let project: Project;
let docker: Dockerode;
let run: Pipeline;
const smallDisks: SmallDisk[] = [];
beforeAll(async () => {
  const env = { FORGELINE_STEP_LOG_BYTES: String(stepLogBytes) };
  instance = await startTestInstance({ runners: 0, env });
  await instance.addRunner("plain", {
    capacity: 12,
    labels: ["disk=plain"],
    env: { FORGELINE_RUNNER_MAX_FILES: String(maxFiles) },
  });
  docker = new Dockerode({ socketPath: instance.bed.dockerSocket });
  await importTestImage(docker, { name: noShell, applets: [] });
  // Disks of their own, so that what other tests write is not what these jobs are held against.
  for (const [name, reserve, minFree] of [
    // Always low: its largest job is ended, its small one is not.
    ["low", 2 ** 50, 0],
    // A job can fill it to the last byte.
    ["small", 16 * mib, 64 * mib],
    // Nobody ends a job there before its disk is full.
    ["once", 0, 64 * mib],
  ] as const)
    await instance.addRunner(name, {
      capacity: 2,
      labels: [`disk=${name}`],
      env: {
        FORGELINE_RUNNER_DISK_RESERVE_BYTES: String(reserve),
        FORGELINE_RUNNER_MIN_FREE_BYTES: String(minFree),
        // As if the disk were larger than it is: a job is not ended for its own part.
        FORGELINE_RUNNER_MAX_DISK: "1Gi",
      },
      onDirectory: (directory) => smallDisks.push(mountSmallDisk(directory, "128m")),
    });
  project = await createProject(instance, "hungry");
});
afterAll(async () => {
  await project.remove();
  // Programs end before their disks go, and the directories of the mounts after these.
  await endAll(
    instance.runners.map(({ program }) => program),
    "SIGINT",
  );
  for (const disk of smallDisks) disk.remove();
  await instance.stop();
  await docker.getImage(noShell).remove();
});

const job = (step: string | Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  image,
  steps: [step],
  runner: ["disk=plain"],
  retry: 0,
  ...more,
});
const jobs = {
  healthy: job("i=0; while [ $i -lt 20 ]; do echo $i; sleep 0.1; i=$((i+1)); done"),
  forks: job("while :; do sleep 1000 & done"),
  memory: job("x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done", { resources: { memory: "32Mi" } }),
  flood: job(`i=0; yes 0123456789 | head -c ${floodBytes}`),
  endless: job({ run: "while :; do echo on; sleep 0.2; done", timeout: "3s" }),
  silent: job({ run: "echo once; sleep 1000", idle_timeout: "3s" }),
  "long-job": job("sleep 1000", { timeout: "3s" }),
  absent: job("true", { image: "registry.invalid/nothing:9" }),
  "no-shell": job("true", { image: noShell }),
  bomb: job("bomb() { bomb | bomb & bomb; }; bomb"),
  yes: job({ run: "yes", timeout: "1s" }),
  files: job("seq 10000000 | xargs touch"),
  // One goes on when it is told that there is no room, one ends, and neither costs the runner its words.
  fill: job("n=0; while :; do dd if=/dev/zero of=$n bs=1M count=8 2>/dev/null || true; n=$((n+1)); done", {
    runner: ["disk=small"],
  }),
  // Its service goes on printing, for which there is no room either.
  "fill-once": job("dd if=/dev/zero of=all bs=1M || { sleep 1; exit 1; }", {
    runner: ["disk=once"],
    services: {
      chatter: { image, command: ["sh", "-c", "while :; do seq 1000; sleep 0.01; done"], ready: false },
    },
  }),
  "disk-small": job("sleep 4; echo fine", { runner: ["disk=low"] }),
  "disk-hog": job("dd if=/dev/zero of=big bs=1M count=48; echo written; sleep 1000", {
    runner: ["disk=low"],
  }),
};

const ends: [keyof typeof jobs, Partial<RunJob>, RegExp][] = [
  ["healthy", { status: "success", reason: null }, /^/],
  ["forks", { status: "failed", reason: "exit:2" }, /limit of \d+ processes/],
  ["memory", { status: "failed", reason: "oom" }, /memory/],
  ["flood", { status: "success", reason: null }, /^/],
  ["endless", { status: "failed", reason: "timeout" }, /exceeded its time limit/],
  ["silent", { status: "failed", reason: "idle_timeout" }, /printed nothing/],
  ["long-job", { status: "failed", reason: "timeout" }, /exceeded its time limit/],
  ["absent", { status: "error", reason: "image_pull" }, /forgeline\/base:1/],
  ["no-shell", { status: "failed", reason: "exit:127" }, /sh/],
  ["bomb", { status: "failed", reason: "exit:2" }, /limit of \d+ processes/],
  ["yes", { status: "failed", reason: "timeout" }, /exceeded its time limit/],
  ["files", { status: "failed", reason: "disk_quota" }, /limit is \d+ .*_MAX_FILES/],
  ["fill", { status: "failed", reason: "disk_quota" }, /disk was almost full.*\d+ MiB/],
  ["fill-once", { status: "error", reason: "disk_full" }, /disk was full/],
  ["disk-small", { status: "success", reason: null }, /^/],
  ["disk-hog", { status: "failed", reason: "disk_quota" }, /disk was almost full.*\d+ MiB/],
];

test("all of them end", { timeout: size(120_000, 3_600_000) }, async () => {
  const { sha } = await project.push({ ".forgeline.yml": JSON.stringify({ jobs }) });
  run = await project.finished(sha, size(100_000, 600_000));
});

test.each(ends)("%s ends as it should, at its first attempt", (key, end, says) => {
  const ended = jobOf(run, key);
  expect(ended, JSON.stringify(ended)).toMatchObject(end);
  expect(ended.attempts).toHaveLength(1);
  const told = [
    ended.message,
    ended.attempts[0]?.message,
    ...(ended.attempts[0]?.steps ?? []).map((s) => s.message),
  ];
  expect(told.join("\n")).toMatch(says);
});

test("each ends within half a minute at full size", (context) => {
  const seconds = Object.keys(jobs).map((key) => {
    const [attempt] = jobOf(run, key).attempts;
    const began = Date.parse(attempt?.started_at ?? "");
    return { key, seconds: (Date.parse(attempt?.finished_at ?? "") - began) / 1000 };
  });
  const [longest] = seconds.toSorted((a, b) => b.seconds - a.seconds);
  counted(context, { jobs: seconds.length, longest: `${longest?.key} ${longest?.seconds.toFixed(1)} s` });
  expect(seconds.filter((job) => job.seconds > size(Infinity, 30))).toEqual([]);
});

test("a disk that a job filled is free again, and its runner takes the next job", async () => {
  for (const name of ["small", "once"]) {
    const file = { jobs: { next: { ...job("echo next"), runner: [`disk=${name}`] } } };
    const next = await project.runFile(JSON.stringify(file));
    expect(next.status, JSON.stringify(next.stages)).toBe("success");
  }
});

test("of a flood the beginning and the end are kept, and the gap is counted", async () => {
  const log = (await project.log(run, "job=flood&step=0")).toString("latin1");
  const gap = /\n?\[forgeline: (\d+) bytes, (\d+) lines left out; [^\n]*\]\n/.exec(log);
  expect(gap, log.slice(0, 200)).not.toBeNull();
  const [head, tail] = [log.slice(0, gap?.index), log.slice((gap?.index ?? 0) + (gap?.[0].length ?? 0))];
  expect(head.length + tail.length + Number(gap?.[1])).toBe(floodBytes);
  expect(head.length).toBeGreaterThanOrEqual(stepLogBytes / 4);
  expect(tail.length).toBeGreaterThan(stepLogBytes / 4 - 20);
  expect(head.startsWith("0123456789\n")).toBe(true);
  expect(Number(gap?.[2])).toBeGreaterThan(0);
  const attempt = jobOf(run, "flood").attempts[0];
  expect(attempt).toMatchObject({ log_complete: false });
});

test("the healthy neighbour lost nothing, and nothing is left of any", async () => {
  const log = (await project.log(run, "job=healthy&step=0")).toString();
  expect(log).toBe(Array.from({ length: 20 }, (_, i) => `${i}\n`).join(""));
  const ids = await instance.api<{ id: string }[]>("GET", "/runners");
  // Cleaning follows the result, so that nobody waits for it.
  await eventually(async () => {
    const left = (await Promise.all(ids.map(({ id }) => leftovers(docker, id)))).flat();
    expect(left.filter((name) => name.includes("att_"))).toEqual([]);
    return true;
  });
});
