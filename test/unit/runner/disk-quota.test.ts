import { pino } from "pino";
import { beforeEach, expect, it } from "vitest";
import { DiskQuota } from "@forgeline/runner/disk-quota.ts";
import type { DiskUser } from "@forgeline/runner/disk-watch.ts";

const free = { bytes: 1_000_000, files: 1_000 };
const room = { ...free };
let nowMs = 0;
let ended: string[] = [];
beforeEach(() => {
  Object.assign(room, free);
  nowMs = 0;
  ended = [];
});

interface Job extends DiskUser {
  takes: { bytes: number; files: number };
  counted: number;
}

function job(key: string): Job {
  const made: Job = {
    key,
    isResumed: false,
    maxDiskBytes: null,
    unlinkedBytes: async () => ({ bytes: 0 }),
    takes: { bytes: 0, files: 0 },
    counted: 0,
    diskUsage: async () => {
      made.counted += 1;
      return made.takes;
    },
    stop: ({ reason, message }) => void ended.push(`${key} ${reason}: ${message}`),
  };
  return made;
}

const quotaOf = (jobs: readonly Job[], limits = { diskBytes: 100_000, files: 100 as number | null }) =>
  new DiskQuota({
    limits,
    logger: pino({ level: "silent" }),
    jobs: () => jobs,
    disks: { free: async () => [{ ...room }] },
    nowMs: () => nowMs,
  });

function take(from: Job, bytes: number, files = 0): void {
  from.takes = { bytes: from.takes.bytes + bytes, files: from.takes.files + files };
  room.bytes -= bytes;
  room.files -= files;
}

it("counts no job while the disk has lost less than any of them has left", async () => {
  const jobs = [job("a"), job("b")];
  const quota = quotaOf(jobs);
  await quota.check();
  take(jobs[0] as Job, 90_000, 90);
  await quota.check();
  expect(jobs.map(({ counted }) => counted)).toEqual([0, 0]);
});

it("ends the job that is over its part, once, and not its neighbour", async () => {
  const [large, small] = [job("large"), job("small")];
  const quota = quotaOf([large, small]);
  await quota.check();
  take(small, 50_000);
  take(large, 110_000);
  await quota.check();
  await quota.check();
  expect(ended).toEqual([
    "large disk_quota: The job used 0 MiB of disk; the limit is 0 MiB (FORGELINE_RUNNER_MAX_DISK).",
  ]);
});

it("holds a job to what its own file allows, where that is less, and says so", async () => {
  const jobs = [job("small"), job("large"), job("bold")];
  const [small, large, bold] = jobs as [Job, Job, Job];
  [small.maxDiskBytes, bold.maxDiskBytes] = [60_000, 200_000];
  const quota = quotaOf(jobs);
  await quota.check();
  for (const each of [small, large]) take(each, 70_000);
  take(bold, 110_000);
  await quota.check();
  expect(ended).toEqual([
    "small disk_quota: The job used 0 MiB of disk; the limit is 0 MiB (resources.disk in the pipeline file).",
    "bold disk_quota: The job used 0 MiB of disk; the limit is 0 MiB (FORGELINE_RUNNER_MAX_DISK).",
  ]);
});

it("ends one that makes too many files, unless there is no limit of them", async () => {
  const many = job("many");
  const [quota, without] = [quotaOf([many]), quotaOf([many], { diskBytes: 100_000, files: null })];
  await quota.check();
  await without.check();
  take(many, 10, 101);
  await without.check();
  expect(ended).toEqual([]);
  await quota.check();
  expect(ended).toEqual([
    "many disk_quota: The job created 101 files; the limit is 100 (FORGELINE_RUNNER_MAX_FILES).",
  ]);
});

it("finds one that grew while another one gave back as much", async () => {
  const hidden = job("hidden");
  const quota = quotaOf([hidden]);
  await quota.check();
  hidden.takes = { bytes: 200_000, files: 1 };
  nowMs = 14_000;
  await quota.check();
  expect(hidden.counted).toBe(0);
  nowMs = 15_000;
  await quota.check();
  expect(ended).toHaveLength(1);
});

it("ends one that cannot be counted, but not for a count that was late once", async () => {
  const deep = job("deep");
  const quota = quotaOf([deep]);
  await quota.check();
  deep.takes = { bytes: Infinity, files: Infinity };
  nowMs = 15_000;
  await quota.check();
  expect(ended).toEqual([]);
  await quota.check();
  expect(ended.join()).toContain("could not be counted");
});
