/**
 * Watches the disks that the jobs share. Before one is full for everybody, the job that can be blamed (`choose-job-to-end.ts`) is ended with
 * `disk_quota`. Where none can, all are: files that are open without a name are in no walk, and go with the process that
 * holds them. `DiskQuota` holds each job to its part before that.
 */
import type { Logger } from "pino";
import type { RunnerConfig } from "./config.ts";
import { chooseJobToEnd, type Taken } from "./choose-job-to-end.ts";
import { DiskQuota } from "./disk-quota.ts";
import type { KeptParts } from "./artifacts/kept-parts.ts";
import type { CacheUploads } from "./caches/cache-uploads.ts";
import { createJobDisks, type JobDisks } from "./job-disks.ts";
import { sumOfUsage } from "./engine/disk-usage.ts";
import type { DiskBytes, DiskUsage, Engine } from "./engine/engine.ts";
import type { StopRequest } from "./job/job-stop.ts";

export interface DiskUser {
  key: string;
  /** An agent before this one began it: what the disk lost with it is not known. */
  isResumed: boolean;
  /** What its file allows it of the disk; null where the runner's limit is the only one. */
  maxDiskBytes: number | null;
  /** What it takes of the disk now; Infinity where that is unknown. */
  diskUsage(): Promise<DiskUsage>;
  /** What its processes hold open that has no name; see `JobEnvironment.namelessBytes`. */
  unlinkedBytes(): Promise<DiskBytes>;
  stop(request: StopRequest): void;
}

export interface DiskWatchOptions {
  config: Pick<RunnerConfig, "home" | "diskReserveBytes" | "limits">;
  logger: Logger;
  jobs: () => readonly DiskUser[];
  engine: Pick<Engine, "storageDirectory" | "stopPulls">;
  /** Gives way before any job does. Absent: nothing is kept. */
  kept?: Pick<KeptParts, "clear">;
  /** Likewise. */
  uploads?: Pick<CacheUploads, "clear">;
  disks?: JobDisks;
  nowMs?: () => number;
}

interface Counted {
  job: DiskUser;
  bytes: number;
  daemonBytes: number;
}

const everyMs = 2_000;
/** Until then nothing is ended without a culprit: a job may delete its files, or be ended by its quota, a moment later. */
const endAllAfterMs = 20_000;

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  readonly #disks: JobDisks;
  readonly #now: () => number;
  readonly #quota: DiskQuota;
  /** Of the disk that has least. */
  #freeBytes = Infinity;
  #timer: NodeJS.Timeout | null = null;
  /** Those that were ended last; until they are gone nobody else is. */
  #ending: readonly DiskUser[] = [];
  /** What was free of each disk before each job began; null where that is not known. */
  readonly #freeBefore = new WeakMap<DiskUser, readonly number[] | null>();
  /** Of each disk, as last measured. */
  #free: readonly number[] = [];
  /** Those that could not be told at the look before this one. */
  #unknown = new Set<DiskUser>();
  #unblamedSinceMs: number | null = null;
  #checking = false;

  constructor(options: DiskWatchOptions) {
    const { config, logger, jobs } = options;
    this.#options = options;
    this.#disks = options.disks ?? createJobDisks(config.home);
    this.#now = options.nowMs ?? (() => performance.now());
    this.#quota = new DiskQuota({ limits: config.limits, logger, jobs, disks: this.#disks });
  }

  /** As last measured. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** The last known value where it is unknown. */
  async measure(): Promise<number> {
    const disks = await this.#disks.free().catch(() => null);
    if (disks === null) return this.#freeBytes;
    const free = disks.map(({ bytes }) => bytes);
    this.#noteNewJobs(free.map((bytes, disk) => Math.max(bytes, this.#free[disk] ?? 0)));
    this.#free = free;
    this.#freeBytes = Math.min(...free);
    return this.#freeBytes;
  }

  async start(): Promise<void> {
    const directory = await this.#options.engine.storageDirectory();
    if (directory !== null) await this.#disks.add(directory);
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

  /** One look, as the timer takes it. Never rejects. */
  async check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      await this.#look();
    } catch (error) {
      this.#options.logger.warn({ err: error }, "the jobs' disk usage could not be measured");
    } finally {
      this.#checking = false;
    }
  }

  /** What a job took before it was first seen, it took after the look before. */
  #noteNewJobs(before: readonly number[]): void {
    for (const job of this.#options.jobs())
      if (!this.#freeBefore.has(job)) this.#freeBefore.set(job, job.isResumed ? null : before);
  }

  async #look(): Promise<void> {
    if ((await this.measure()) >= this.#options.config.diskReserveBytes) {
      this.#unblamedSinceMs = null;
      return;
    }
    this.#options.engine.stopPulls();
    await this.#options.kept?.clear();
    await this.#options.uploads?.clear();
    const jobs = this.#options.jobs();
    if (this.#ending.some((job) => jobs.includes(job))) return;
    this.#ending = [];
    if (jobs.length === 0) return;
    const culprit = this.#blamed(await this.#counted(jobs));
    if (culprit !== null) return this.#end(culprit);
    this.#unblamedSinceMs ??= this.#now();
    if (this.#now() - this.#unblamedSinceMs >= endAllAfterMs) this.#endAll(jobs);
  }

  /** One that could not be told once may have met a slow disk: until the next look it counts as nothing. */
  async #counted(jobs: readonly DiskUser[]): Promise<Counted[]> {
    const all = await Promise.all(
      jobs.map(async (job): Promise<Counted> => {
        const parts = await Promise.all([job.diskUsage(), job.unlinkedBytes()]);
        const { bytes, daemonBytes = 0 } = sumOfUsage(parts.map((part) => ({ files: 0, ...part })));
        return { job, bytes, daemonBytes };
      }),
    );
    const before = this.#unknown;
    this.#unknown = new Set(all.filter(({ bytes }) => bytes === Infinity).map(({ job }) => job));
    return all.filter(({ job, bytes }) => bytes !== Infinity || before.has(job));
  }

  #blamed(counted: readonly Counted[]): Taken<DiskUser> | null {
    const { diskReserveBytes, limits } = this.#options.config;
    for (const [disk, free] of this.#free.entries()) {
      if (free >= diskReserveBytes) continue;
      const taken = counted.map((each): Taken<DiskUser> => ({
        job: each.job,
        allBytes: each.bytes,
        bytes: this.#ofDisk(disk, each),
      }));
      const culprit = chooseJobToEnd(taken, {
        lostBytes: this.#lostBytes(disk, free),
        partBytes: limits.diskBytes,
      });
      if (culprit !== null) return culprit;
    }
    return null;
  }

  #ofDisk(disk: number, { bytes, daemonBytes }: Counted): number {
    if (this.#free.length === 1 || bytes === Infinity) return bytes;
    return disk === 0 ? bytes - daemonBytes : daemonBytes;
  }

  #lostBytes(disk: number, free: number): number {
    const before = this.#options.jobs().map((job) => this.#freeBefore.get(job)?.[disk] ?? Infinity);
    return Math.max(...before) - free;
  }

  #end({ job, bytes }: Taken<DiskUser>): void {
    this.#unblamedSinceMs = null;
    this.#ending = [job];
    this.#options.logger.warn({ lease: job.key, bytes, free: this.#freeBytes }, "the disk is almost full");
    const taken = Number.isFinite(bytes)
      ? `this job used most of it (${Math.round(bytes / 1024 / 1024)} MiB)`
      : "this job's usage could not be counted";
    const message = `The runner's disk was almost full and ${taken}.`;
    job.stop({ status: "failed", reason: "disk_quota", message, graceMs: 0, force: true });
  }

  #endAll(jobs: readonly DiskUser[]): void {
    this.#unblamedSinceMs = null;
    this.#ending = jobs;
    this.#options.logger.warn(
      { leases: jobs.map(({ key }) => key), free: this.#freeBytes },
      "the disk is almost full, but no job explains it",
    );
    const message =
      "The runner's disk was almost full, and the known usage of its jobs does not explain it: all jobs of this runner were ended.";
    for (const job of jobs)
      job.stop({ status: "error", reason: "disk_full", message, graceMs: 0, force: true });
  }
}
