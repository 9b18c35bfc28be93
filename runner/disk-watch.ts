/**
 * Watches the disk that the jobs share. Before it is full for everybody, the job that takes most of it is ended with
 * `disk_quota`; a job that takes little is never blamed, whoever filled the disk. `DiskQuota` holds each to its part before that.
 */
import type { Logger } from "pino";
import type { RunnerConfig } from "./config.ts";
import { DiskQuota } from "./disk-quota.ts";
import type { DiskUsage } from "./engine/engine.ts";
import type { StopRequest } from "./job/job-stop.ts";
import { freeDiskBytes } from "./machine-report.ts";

export interface DiskUser {
  key: string;
  /** What it takes of the disk now; Infinity where that cannot be told. */
  diskUsage(): Promise<DiskUsage>;
  stop(request: StopRequest): void;
}

const everyMs = 2_000;
const blameBytes = 16 * 1024 * 1024;

export class DiskWatch {
  readonly #home: string;
  readonly #reserveBytes: number;
  readonly #logger: Logger;
  readonly #jobs: () => readonly DiskUser[];
  readonly #quota: DiskQuota;
  #freeBytes = Infinity;
  #timer: NodeJS.Timeout | null = null;
  /** The job that was ended last; until it is gone nobody else is. */
  #ending: DiskUser | null = null;
  #checking = false;

  constructor(
    config: Pick<RunnerConfig, "home" | "diskReserveBytes" | "limits">,
    logger: Logger,
    jobs: () => readonly DiskUser[],
  ) {
    this.#home = config.home;
    this.#reserveBytes = config.diskReserveBytes;
    this.#logger = logger;
    this.#jobs = jobs;
    this.#quota = new DiskQuota({ home: config.home, limits: config.limits, logger, jobs });
  }

  /** As last measured. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  async measure(): Promise<number> {
    this.#freeBytes = await freeDiskBytes(this.#home, this.#freeBytes);
    return this.#freeBytes;
  }

  async start(): Promise<void> {
    await this.measure();
    this.#timer ??= setInterval(() => void this.check(), everyMs);
    this.#timer.unref();
    this.#quota.start();
  }

  clear(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#quota.clear();
  }

  /** One look, as the timer takes it. */
  async check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      if ((await this.measure()) >= this.#reserveBytes) return;
      if (this.#ending && this.#jobs().includes(this.#ending)) return;
      this.#ending = await this.#endLargest();
    } catch (error) {
      this.#logger.warn({ err: error }, "what the jobs take of the disk could not be measured");
    } finally {
      this.#checking = false;
    }
  }

  async #endLargest(): Promise<DiskUser | null> {
    const sizes = await Promise.all(
      this.#jobs().map(async (job) => ({ job, bytes: (await job.diskUsage()).bytes })),
    );
    const [largest] = sizes.toSorted((a, b) => (a.bytes === b.bytes ? 0 : b.bytes - a.bytes));
    if (!largest || largest.bytes < blameBytes) return null;
    const { job, bytes } = largest;
    this.#logger.warn({ lease: job.key, bytes, free: this.#freeBytes }, "the disk runs low");
    const taken = Number.isFinite(bytes)
      ? `this job took most of it (${Math.round(bytes / 1024 / 1024)} MiB)`
      : "what this job takes could not be counted";
    const message = `The runner's disk ran low and ${taken}.`;
    job.stop({ status: "failed", reason: "disk_quota", message, graceMs: 0, force: true });
    return job;
  }
}
