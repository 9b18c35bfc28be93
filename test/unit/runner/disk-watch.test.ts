import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { createJobDisks, type FreeSpace } from "@forgeline/runner/job-disks.ts";
import { DiskWatch, type DiskUser } from "@forgeline/runner/disk-watch.ts";
import { testLimits } from "../../support/runner-limits.ts";

const mebibyte = 1024 * 1024;
const limits = { ...testLimits, diskBytes: 1_000 * mebibyte };
let stopped: string[];
let pullsStopped: number;
let nowMs: number;
/** What is free of each disk, in MiB. */
let free: [number, ...number[]];
beforeEach(() => {
  stopped = [];
  nowMs = 0;
  pullsStopped = 0;
  free = [1_000];
});

interface Job extends DiskUser {
  mebibytes: number;
  /** Of them, on the daemon's disk. */
  daemonMebibytes: number;
  namelessMebibytes: number;
}

const job = (key: string, mebibytes: number, isResumed = false): Job => ({
  key,
  isResumed,
  maxDiskBytes: null,
  mebibytes,
  daemonMebibytes: 0,
  namelessMebibytes: 0,
  async diskUsage() {
    return { bytes: this.mebibytes * mebibyte, daemonBytes: this.daemonMebibytes * mebibyte, files: 1 };
  },
  async unlinkedBytes() {
    return { bytes: this.namelessMebibytes * mebibyte };
  },
  stop: ({ status, reason, message }) => {
    expect(message).toMatch(/^The runner's disk was almost full/);
    stopped.push(`${key} ${status}/${reason}`);
  },
});

const roomOf = (mebibytes: number): FreeSpace => ({ bytes: mebibytes * mebibyte, files: 1_000 });

/** 100 MiB are kept. */
function watchOver(jobs: readonly DiskUser[]): DiskWatch {
  const disks = {
    add: async () => undefined,
    free: async () => free.map(roomOf) as [FreeSpace, ...FreeSpace[]],
  };
  const engine = { storageDirectory: async () => null, stopPulls: () => void (pullsStopped += 1) };
  const config = { home: "/nowhere", diskReserveBytes: 100 * mebibyte, limits };
  return new DiskWatch({
    config,
    logger: pino({ level: "silent" }),
    jobs: () => jobs,
    engine,
    disks,
    nowMs: () => nowMs,
  });
}

/** The disk had room when the jobs began, and has none now. */
async function lowAfter(jobs: readonly DiskUser[], lostMebibytes: number): Promise<DiskWatch> {
  const watch = watchOver(jobs);
  free = [lostMebibytes + 50];
  await watch.check();
  expect(stopped).toEqual([]);
  free = [50];
  await watch.check();
  return watch;
}

async function later(watch: DiskWatch, ms: number): Promise<void> {
  nowMs += ms;
  await watch.check();
}

describe("a disk that runs low", () => {
  it("ends the job that takes most of it, and nobody else until that one is gone", async () => {
    const jobs = [job("small", 20), job("large", 90)];
    const watch = await lowAfter(jobs, 120);
    await watch.check();
    expect(stopped).toEqual(["large failed/disk_quota"]);
    jobs.splice(1, 1, job("greedy", 2_000));
    await watch.check();
    expect(stopped).toEqual(["large failed/disk_quota", "greedy failed/disk_quota"]);
  });

  it("ends all where nobody can be blamed for a while, so that they are tried elsewhere", async () => {
    const watch = await lowAfter([job("thief", 1), job("victim", 30)], 425);
    await later(watch, 19_000);
    expect(stopped).toEqual([]);
    await later(watch, 1_000);
    expect(stopped).toEqual(["thief error/disk_full", "victim error/disk_full"]);
    await later(watch, 60_000);
    expect(stopped).toHaveLength(2);
  });

  it("ends nobody where there is room again meanwhile", async () => {
    const watch = await lowAfter([job("thief", 1), job("victim", 30)], 425);
    free = [500];
    await later(watch, 10_000);
    free = [50];
    await later(watch, 10_000);
    await later(watch, 10_000);
    expect(stopped).toEqual([]);
  });

  it("ends the one whose files without a name explain it", async () => {
    const thief = job("thief", 1);
    thief.namelessMebibytes = 400;
    await lowAfter([thief, job("victim", 30)], 425);
    expect(stopped).toEqual(["thief failed/disk_quota"]);
  });

  it("counts what a job took before it was first seen as lost with it", async () => {
    const jobs: DiskUser[] = [];
    const watch = watchOver(jobs);
    await watch.check();
    jobs.push(job("quick thief", 1), job("victim", 30));
    free = [50];
    await watch.check();
    expect(stopped).toEqual([]);
  });

  it("blames no job of an agent before this one, unless it is over its part", async () => {
    await lowAfter([job("old", 90, true), job("new", 1)], 90);
    expect(stopped).toEqual([]);
  });

  it("ends one that cannot be counted at its second look", async () => {
    const watch = await lowAfter([job("deep", Infinity), job("victim", 30)], 425);
    expect(stopped).toEqual([]);
    await watch.check();
    expect(stopped).toEqual(["deep failed/disk_quota"]);
  });
});

it("a disk with room ends nobody, and no pull", async () => {
  await watchOver([job("large", 2_000)]).check();
  expect(stopped).toEqual([]);
  expect(pullsStopped).toBe(0);
});

it("a disk that runs low ends pulls, also where there is no job", async () => {
  free = [50];
  await watchOver([]).check();
  expect(pullsStopped).toBe(1);
});

describe("a daemon with a disk of its own", () => {
  /** All of the thief lies there, and nothing of the large one. */
  async function lowThere(lostMebibytes: number): Promise<DiskWatch> {
    const thief = { ...job("thief", 90), daemonMebibytes: 90 };
    const watch = watchOver([job("large", 800), thief]);
    free = [1_000, lostMebibytes + 99];
    await watch.check();
    free = [200, 99];
    await watch.check();
    expect(watch.freeBytes).toBe(99 * mebibyte);
    return watch;
  }

  it("blames who took most of that disk", async () => {
    await lowThere(100);
    expect(stopped).toEqual(["thief failed/disk_quota"]);
  });

  it("blames nobody where what lies there does not explain it, however much lies on the other", async () => {
    await lowThere(400);
    expect(stopped).toEqual([]);
  });
});

it("sees another disk by itself, once, and leaves out what it cannot see", async () => {
  const disks = createJobDisks("/");
  for (const directory of ["/", "/nowhere/at/all"]) await disks.add(directory);
  expect(await disks.free()).toHaveLength(1);
  for (const directory of ["/dev/shm", "/dev/shm"]) await disks.add(directory);
  expect(await disks.free()).toHaveLength(2);
});
