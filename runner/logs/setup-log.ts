/** The set-up log of a job: what the runner does before the first step, one line each, written as a raw log file. */
import { type FileHandle, open } from "node:fs/promises";

export class SetupLog {
  readonly path: string;
  readonly #onLine: () => void;
  #tail: Promise<void>;
  #file: FileHandle | null = null;

  /** `onLine` is called once a line can be read from the file. A file of an earlier process is continued. */
  constructor(path: string, onLine: () => void) {
    this.path = path;
    this.#onLine = onLine;
    this.#tail = open(path, "a", 0o600).then((file) => {
      this.#file = file;
    });
    this.#tail.catch(() => undefined);
  }

  /** After `close` nothing is written: what comes then stands in the job's message. */
  line(text: string): void {
    this.#tail = this.#tail.then(async () => {
      await this.#file?.write(`${text}\n`);
      this.#onLine();
    });
    this.#tail.catch(() => undefined);
  }

  /** Resolves when all lines are in the file; throws when they could not be written. */
  async close(): Promise<void> {
    try {
      await this.#tail;
    } finally {
      await this.#file?.close();
      this.#file = null;
    }
  }
}
