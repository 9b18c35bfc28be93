/**
 * Watches the disks that the jobs share. Before one is full for everybody, the job that can be blamed (`disk-blame.ts`) is ended with
 * `disk_quota`. Where none can, all are: files that are open without a name are in no walk, and go with the process that
 * holds them. `DiskQuota` holds each job to its part before that.
 */
import type { Logger } from "pino";
import type { RunnerConfig } from "./config.ts";
import { blamed, type Taken } from "./disk-blame.ts";
import { DiskQuota } from "./disk-quota.ts";
import { diskRooms, type DiskRooms } from "./disk-rooms.ts";
import type { DiskUsage } from "./engine/engine.ts";
import type { StopRequest } from "./job/job-stop.ts";

export interface DiskUser {
  key: string;
  /** An agent before this one began it: what the disk lost with it is not known. */
  isResumed: boolean;
  /** What it takes of the disk now; Infinity where that cannot be told. */
  diskUsage(): Promise<DiskUsage>;
  /** What its processes hold open that has no name; see `JobEnvironment.namelessBytes`. */
  namelessBytes(): Promise<number>;
  stop(request: StopRequest): void;
}

export interface DiskWatchOptions {
  config: Pick<RunnerConfig, "home" | "diskReserveBytes" | "limits">;
  logger: Logger;
  jobs: () => readonly DiskUser[];
  rooms?: DiskRooms;
  nowMs?: () => number;
}

const everyMs = 2_000;
/** A job that deletes a moment later, or is ended by its quota, takes nobody with it. */
const unblamedMs = 20_000;

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  readonly #rooms: DiskRooms;
  readonly #now: () => number;
  readonly #quota: DiskQuota;
  /** Of the disk that has least. */
  #freeBytes = Infinity;
  #timer: NodeJS.Timeout | null = null;
  /** Those that were ended last; until they are gone nobody else is. */
  #ending: readonly DiskUser[] = [];
  /** What was free before each job began; null where there is more than one disk, as nobody's size is told for each. */
  readonly #freeBefore = new WeakMap<DiskUser, number | null>();
  #lastFree: number | null = null;
  /** Those that could not be told at the look before this one. */
  #unknown = new Set<DiskUser>();
  #unblamedSinceMs: number | null = null;
  #checking = false;

  constructor(options: DiskWatchOptions) {
    const { config, logger, jobs } = options;
    this.#options = options;
    this.#rooms = options.rooms ?? diskRooms(config.home);
    this.#now = options.nowMs ?? (() => performance.now());
    this.#quota = new DiskQuota({ limits: config.limits, logger, jobs, rooms: this.#rooms });
  }

  /** As last measured. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** The last known value where it cannot be told. */
  async measure(): Promise<number> {
    const rooms = await this.#rooms.free().catch(() => null);
    if (rooms === null) return this.#freeBytes;
    this.#freeBytes = Math.min(...rooms.map(({ bytes }) => bytes));
    this.#noteNewJobs(rooms.length === 1 ? rooms[0].bytes : null);
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

  /** One look, as the timer takes it. Never rejects. */
  async check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      await this.#look();
    } catch (error) {
      this.#options.logger.warn({ err: error }, "what the jobs take of the disk could not be measured");
    } finally {
      this.#checking = false;
    }
  }

  /** What a job took before it was first seen, it took after the look before. */
  #noteNewJobs(free: number | null): void {
    const before = free === null ? null : Math.max(free, this.#lastFree ?? 0);
    for (const job of this.#options.jobs())
      if (!this.#freeBefore.has(job)) this.#freeBefore.set(job, job.isResumed ? null : before);
    this.#lastFree = free;
  }

  async #look(): Promise<void> {
    if ((await this.measure()) >= this.#options.config.diskReserveBytes) {
      this.#unblamedSinceMs = null;
      return;
    }
    const jobs = this.#options.jobs();
    if (this.#ending.some((job) => jobs.includes(job))) return;
    this.#ending = [];
    if (jobs.length === 0) return;
    const taken = await this.#taken(jobs);
    const culprit = blamed(taken, {
      lostBytes: this.#lostBytes(jobs),
      partBytes: this.#options.config.limits.diskBytes,
    });
    if (culprit !== null) return this.#end(culprit);
    this.#unblamedSinceMs ??= this.#now();
    if (this.#now() - this.#unblamedSinceMs >= unblamedMs) this.#endAll(jobs);
  }

  /** One that could not be told once may have met a slow disk: until the next look it counts as nothing. */
  async #taken(jobs: readonly DiskUser[]): Promise<Taken<DiskUser>[]> {
    const all = await Promise.all(
      jobs.map(async (job) => {
        const [{ bytes }, nameless] = await Promise.all([job.diskUsage(), job.namelessBytes()]);
        return { job, bytes: bytes + nameless };
      }),
    );
    const before = this.#unknown;
    this.#unknown = new Set(all.filter(({ bytes }) => bytes === Infinity).map(({ job }) => job));
    return all.filter(({ job, bytes }) => bytes !== Infinity || before.has(job));
  }

  #lostBytes(jobs: readonly DiskUser[]): number {
    const before = Math.max(...jobs.map((job) => this.#freeBefore.get(job) ?? Infinity));
    return before - this.#freeBytes;
  }

  #end({ job, bytes }: Taken<DiskUser>): void {
    this.#unblamedSinceMs = null;
    this.#ending = [job];
    this.#options.logger.warn({ lease: job.key, bytes, free: this.#freeBytes }, "the disk runs low");
    const taken = Number.isFinite(bytes)
      ? `this job took most of it (${Math.round(bytes / 1024 / 1024)} MiB)`
      : "what this job takes could not be counted";
    const message = `The runner's disk ran low and ${taken}.`;
    job.stop({ status: "failed", reason: "disk_quota", message, graceMs: 0, force: true });
  }

  #endAll(jobs: readonly DiskUser[]): void {
    this.#unblamedSinceMs = null;
    this.#ending = jobs;
    this.#options.logger.warn(
      { leases: jobs.map(({ key }) => key), free: this.#freeBytes },
      "the disk runs low by nobody's fault",
    );
    const message =
      "The runner's disk ran low, and what its jobs are known to take does not explain it: all jobs of this runner were ended.";
    for (const job of jobs)
      job.stop({ status: "error", reason: "disk_full", message, graceMs: 0, force: true });
  }
}
