/**
 * Holds each job to its part of the disk. Counting a large tree is expensive, so a job is counted when the disk has lost as much as that job
 * still had left, and otherwise now and then.
 */
import type { Logger } from "pino";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import { sumFreeSpace, type JobDisks, type FreeSpace } from "./job-disks.ts";
import type { DiskUser } from "./disk-watch.ts";

type QuotaLimits = Pick<RunnerLimits, "diskBytes" | "files">;

interface Counted extends FreeSpace {
  /** Of the disk when the job was counted. */
  free: FreeSpace;
  nextMs: number;
  /** Times in a row that it could not be told. */
  unknown: number;
}

export interface DiskQuotaOptions {
  limits: QuotaLimits;
  logger: Logger;
  jobs: () => readonly DiskUser[];
  disks: Pick<JobDisks, "free">;
  nowMs?: () => number;
}

const everyMs = 2_000;
const minPauseMs = 15_000;
/** Of the time, counting takes a hundredth. */
const pauseFactor = 100;
/** A count that came late once may have met a slow disk. */
const patience = 2;

export class DiskQuota {
  readonly #options: DiskQuotaOptions;
  readonly #now: () => number;
  readonly #counted = new WeakMap<DiskUser, Counted>();
  readonly #ended = new WeakSet<DiskUser>();
  #timer: NodeJS.Timeout | null = null;
  #checking = false;

  constructor(options: DiskQuotaOptions) {
    this.#options = options;
    this.#now = options.nowMs ?? (() => performance.now());
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.check(), everyMs);
    this.#timer.unref();
  }

  clear(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** One look, as the timer takes it. Never rejects. */
  async check(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    try {
      const free = sumFreeSpace(await this.#options.disks.free());
      for (const job of this.#options.jobs()) if (this.#isDue(job, free)) await this.#count(job, free);
    } catch (error) {
      this.#options.logger.warn({ err: error }, "the jobs' disk usage could not be counted");
    } finally {
      this.#checking = false;
    }
  }

  #isDue(job: DiskUser, free: FreeSpace): boolean {
    if (this.#ended.has(job)) return false;
    const last = this.#counted.get(job);
    if (!last) {
      this.#counted.set(job, { bytes: 0, files: 0, free, unknown: 0, nextMs: this.#now() + minPauseMs });
      return false;
    }
    if (this.#now() >= last.nextMs) return true;
    const { files } = this.#options.limits;
    const { diskBytes } = this.#diskLimit(job);
    const lost = { bytes: last.free.bytes - free.bytes, files: last.free.files - free.files };
    return lost.bytes > diskBytes - last.bytes || (files !== null && lost.files > files - last.files);
  }

  async #count(job: DiskUser, free: FreeSpace): Promise<void> {
    const began = this.#now();
    const usage = await job.diskUsage();
    const unknown = Number.isFinite(usage.bytes) ? 0 : (this.#counted.get(job)?.unknown ?? 0) + 1;
    const nextMs = this.#now() + Math.max(minPauseMs, (this.#now() - began) * pauseFactor);
    this.#counted.set(job, { ...usage, free, unknown, nextMs: unknown > 0 ? this.#now() : nextMs });
    if (unknown > 0 && unknown < patience) return;
    const message = this.#overMessage(job, usage);
    if (message === null) return;
    this.#ended.add(job);
    this.#options.logger.warn({ lease: job.key, ...usage }, "a job uses more disk than allowed");
    job.stop({ status: "failed", reason: "disk_quota", message, graceMs: 0, force: true });
  }

  /** The file's, where it is below the runner's, and what sets it. */
  #diskLimit({ maxDiskBytes }: DiskUser): { diskBytes: number; setBy: string } {
    const { diskBytes } = this.#options.limits;
    return maxDiskBytes !== null && maxDiskBytes < diskBytes
      ? { diskBytes: maxDiskBytes, setBy: "resources.disk in the pipeline file" }
      : { diskBytes, setBy: "FORGELINE_RUNNER_MAX_DISK" };
  }

  #overMessage(job: DiskUser, { bytes, files }: FreeSpace): string | null {
    const max = this.#options.limits;
    const { diskBytes, setBy } = this.#diskLimit(job);
    if (bytes === Infinity)
      return "The job's disk usage could not be counted: its directories are too deep or contain too many files.";
    if (bytes > diskBytes)
      return `The job used ${mebibytes(bytes)} of disk; the limit is ${mebibytes(diskBytes)} (${setBy}).`;
    if (max.files === null || files <= max.files) return null;
    return `The job created ${files} files; the limit is ${max.files} (FORGELINE_RUNNER_MAX_FILES).`;
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
