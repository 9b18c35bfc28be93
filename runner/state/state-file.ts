/**
 * The state file: all leases of this runner in one JSON file, replaced atomically. Writes requested while
 * one is under way are done together by the next one.
 */
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { type JobRecord, leaseKey, RunnerState } from "./job-record.ts";

export class StateFile {
  readonly #path: string;
  readonly #instanceId: string;
  readonly #jobs: Map<string, JobRecord>;
  /** Of stages, and whether a job has come to its first step in it. Change it, then `save`. */
  readonly workspaces: Map<string, boolean>;
  #writing: Promise<void> | null = null;
  #queued: Promise<void> | null = null;

  private constructor(path: string, state: RunnerState) {
    this.#path = path;
    this.#instanceId = state.instanceId;
    this.#jobs = new Map(state.jobs.map((job) => [leaseKey(job), job]));
    this.workspaces = new Map(state.workspaces.map(({ id, isFilled }) => [id, isFilled]));
  }

  /** Reads the file, or begins a new one. Throws when it is there and cannot be understood. */
  static async open(path: string): Promise<StateFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (text !== null) return new StateFile(path, RunnerState.parse(JSON.parse(text)));
    const file = new StateFile(path, { version: 1, instanceId: randomUUID(), jobs: [], workspaces: [] });
    await file.save();
    return file;
  }

  get instanceId(): string {
    return this.#instanceId;
  }

  jobs(): JobRecord[] {
    return [...this.#jobs.values()];
  }

  /** The record is live: change it, then `save`. */
  put(job: JobRecord): void {
    this.#jobs.set(leaseKey(job), job);
  }

  async remove(job: { attemptId: string; epoch: number }): Promise<void> {
    if (this.#jobs.delete(leaseKey(job))) await this.save();
  }

  /** Resolves when everything as it is now has reached the disk. */
  save(): Promise<void> {
    if (!this.#writing) {
      this.#writing = this.#write().finally(() => {
        this.#writing = null;
      });
      return this.#writing;
    }
    this.#queued ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#queued = null;
        return this.save();
      });
    return this.#queued;
  }

  async #write(): Promise<void> {
    const workspaces = [...this.workspaces].map(([id, isFilled]) => ({ id, isFilled }));
    const state: RunnerState = { version: 1, instanceId: this.#instanceId, jobs: this.jobs(), workspaces };
    const temporary = `${this.#path}.new`;
    const file = await open(temporary, "w", 0o600);
    try {
      await file.writeFile(JSON.stringify(state));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.#path);
    const directory = await open(dirname(this.#path), "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }
}
