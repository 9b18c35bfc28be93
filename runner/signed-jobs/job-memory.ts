/**
 * Which signed jobs this runner has begun, in a file, so that none is begun twice. Entries are kept as long as their signatures are
 * valid. There is a bound: past it the oldest goes, and whatever was signed no later than that is refused from then on.
 */
import { appendFile, readFile, rename, writeFile } from "node:fs/promises";

export interface BegunJob {
  attemptId: string;
  signedAtMs: number;
  validUntilMs: number;
}

const defaultMax = 20_000;

export class JobMemory {
  readonly #path: string;
  readonly #max: number;
  readonly #jobs = new Map<string, BegunJob>();
  /** What was signed no later is not known any more. */
  #floorMs = 0;
  #lines = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, max: number) {
    this.#path = path;
    this.#max = max;
  }

  /** A last line that a crash cut off is left out: its job is in the state file, or was not begun. */
  static async open(path: string, max = defaultMax): Promise<JobMemory> {
    const memory = new JobMemory(path, max);
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    for (const line of text.split("\n").slice(0, -1)) memory.#read(line);
    await memory.#rewrite();
    return memory;
  }

  /** Whether it was begun, or may have been. */
  knows({ attemptId, signedAtMs }: BegunJob): boolean {
    return this.#jobs.has(attemptId) || signedAtMs <= this.#floorMs;
  }

  add(job: BegunJob): void {
    this.#jobs.set(job.attemptId, job);
    this.#forget();
  }

  /** Resolves when it is on the disk. */
  save({ attemptId, signedAtMs, validUntilMs }: BegunJob): Promise<void> {
    const line = `${attemptId} ${signedAtMs} ${validUntilMs}\n`;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(async () => {
        this.#lines += 1;
        if (this.#lines > 2 * this.#max) return this.#rewrite();
        return appendFile(this.#path, line, { mode: 0o600, flush: true });
      });
    return this.#writing;
  }

  #read(line: string): void {
    const [attemptId = "", signedAt, validUntil] = line.split(" ");
    if (attemptId === "floor") this.#floorMs = Math.max(this.#floorMs, Number(signedAt));
    else this.add({ attemptId, signedAtMs: Number(signedAt), validUntilMs: Number(validUntil) });
  }

  #forget(): void {
    if (this.#jobs.size <= this.#max) return;
    const now = Date.now();
    for (const [id, { validUntilMs }] of this.#jobs) if (validUntilMs < now) this.#jobs.delete(id);
    const surplus = this.#jobs.size - this.#max;
    if (surplus <= 0) return;
    const oldest = [...this.#jobs.values()].toSorted((a, b) => a.signedAtMs - b.signedAtMs);
    for (const { attemptId, signedAtMs } of oldest.slice(0, surplus)) {
      this.#jobs.delete(attemptId);
      this.#floorMs = Math.max(this.#floorMs, signedAtMs);
    }
  }

  async #rewrite(): Promise<void> {
    const now = Date.now();
    for (const [id, { validUntilMs }] of this.#jobs) if (validUntilMs < now) this.#jobs.delete(id);
    const kept = [...this.#jobs.values()];
    const lines = kept.map((job) => `${job.attemptId} ${job.signedAtMs} ${job.validUntilMs}\n`);
    await writeFile(`${this.#path}.new`, `floor ${this.#floorMs}\n${lines.join("")}`, {
      mode: 0o600,
      flush: true,
    });
    await rename(`${this.#path}.new`, this.#path);
    this.#lines = kept.length;
  }
}
