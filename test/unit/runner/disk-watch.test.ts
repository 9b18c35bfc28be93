import { tmpdir } from "node:os";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { DiskWatch, type DiskUser } from "@forgeline/runner/disk-watch.ts";
import { testLimits } from "../../support/runner-limits.ts";

const mebibyte = 1024 * 1024;
const stopped: string[] = [];
const job = (key: string, bytes: number): DiskUser => ({
  key,
  diskUsage: async () => ({ bytes, files: 1 }),
  stop: ({ reason }) => void stopped.push(`${key} ${reason}`),
});

/** Always low, unless it reserves nothing. */
function watchOver(jobs: readonly DiskUser[], diskReserveBytes = Infinity): DiskWatch {
  stopped.length = 0;
  return new DiskWatch(
    { home: tmpdir(), diskReserveBytes, limits: testLimits },
    pino({ level: "silent" }),
    () => jobs,
  );
}

describe("a disk that runs low", () => {
  it("ends the job that takes most of it, and nobody else until that one is gone", async () => {
    const jobs = [job("small", 20 * mebibyte), job("large", 90 * mebibyte)];
    const watch = watchOver(jobs);
    await watch.check();
    await watch.check();
    expect(stopped).toEqual(["large disk_quota"]);
    jobs.pop();
    await watch.check();
    expect(stopped).toEqual(["large disk_quota", "small disk_quota"]);
  });

  it("is no job's fault that takes little", async () => {
    await watchOver([job("a", 3 * mebibyte), job("b", 15 * mebibyte)]).check();
    expect(stopped).toEqual([]);
  });
});

it("a disk with room ends nobody", async () => {
  await watchOver([job("large", 90 * mebibyte)], 0).check();
  expect(stopped).toEqual([]);
});
