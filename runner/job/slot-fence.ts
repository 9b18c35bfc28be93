/**
 * Jobs that hold a slot of a concurrency group end before the server can give them to another runner, so that two never run
 * together. The server counts from the last renewal; the agent counts from the sending of the last heartbeat that was answered,
 * which was earlier. Monotonic clock only.
 */
import { Deadline } from "../deadline.ts";

/** Time for killing the job, where the reclaim time is long enough for it. */
const marginMs = 15_000;

export interface FencedJob {
  /** Whether it must not outlive its lease now; may change to false when its first step begins. */
  readonly isFenced: boolean;
  /** When this process began with it. */
  readonly begunAtMs: number;
  /** It may run for so long from now on, whatever becomes of this process. */
  keepFor(ms: number): void;
  /** Its time is over. */
  fence(): void;
}

export class SlotFence {
  readonly #jobs: () => Iterable<FencedJob>;
  readonly #deadline = new Deadline();
  #answeredAtMs = -Infinity;
  /** Unknown until the first welcome; no job is begun before it. */
  #keepMs = Infinity;

  constructor(jobs: () => Iterable<FencedJob>) {
    this.#jobs = jobs;
  }

  /** The server reclaims a lease after this time without a renewal. */
  welcomed(reclaimMs: number): void {
    this.#keepMs = reclaimMs - Math.min(marginMs, reclaimMs / 6);
    this.#look();
  }

  /** A heartbeat was answered that was sent at this time. */
  answered(sentAtMs: number): void {
    this.#answeredAtMs = Math.max(this.#answeredAtMs, sentAtMs);
    for (const job of this.#fenced()) this.#keep(job);
    this.#look();
  }

  /** A job was begun. One that another process began before keeps the time that it was given there, until a heartbeat is answered. */
  begun(job: FencedJob, isResumed: boolean): void {
    if (job.isFenced && !isResumed) this.#keep(job);
    this.#look();
  }

  clear(): void {
    this.#deadline.clear();
  }

  #fenced(): FencedJob[] {
    return [...this.#jobs()].filter((job) => job.isFenced);
  }

  #keep(job: FencedJob): void {
    const left = this.#leftFor(job);
    if (left > 0 && left < Infinity) job.keepFor(left);
  }

  #leftFor({ begunAtMs }: FencedJob): number {
    return Math.max(begunAtMs, this.#answeredAtMs) + this.#keepMs - performance.now();
  }

  /** Ends what is over, and looks again when the next one is. */
  #look(): void {
    let next = Infinity;
    for (const job of this.#fenced()) {
      const left = this.#leftFor(job);
      if (left > 0) next = Math.min(next, left);
      else job.fence();
    }
    this.#deadline.clear();
    if (next < Infinity) this.#deadline.set(next, () => this.#look());
  }
}
