/**
 * Wakes a reader when its file may have grown: by the kernel's notice where there is one, and by polling, quick
 * while output flows and slow when it does not. Also woken by hand.
 */
import { type FSWatcher, watch } from "node:fs";

const hotMs = 5;
const idleMs = 200;
const unwatchedMs = 20;
const hotForMs = 500;
const gatherMs = 4;

export class Growth {
  readonly #path: string;
  #watcher: FSWatcher | null = null;
  #resolve: (() => void) | null = null;
  #pending = false;
  #hotUntil = 0;
  #gathered: (() => void) | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Output came: poll quickly for a while. */
  heat(): void {
    this.#hotUntil = performance.now() + hotForMs;
  }

  wake(): void {
    this.#pending = true;
    this.#resolve?.();
  }

  /** Resolves when woken, or when it is time to look. */
  async wait(): Promise<void> {
    this.#watch();
    if (!this.#pending) {
      const quietMs = this.#watcher ? idleMs : unwatchedMs;
      const ms = performance.now() < this.#hotUntil ? hotMs : quietMs;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#resolve = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resolve = null;
    }
    this.#pending = false;
  }

  /** A short pause, over at once when the file has ended. */
  async gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.#gathered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#gathered = null;
  }

  hurry(): void {
    this.#gathered?.();
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = null;
    this.wake();
  }

  #watch(): void {
    if (this.#watcher) return;
    try {
      this.#watcher = watch(this.#path, { persistent: false }, () => this.wake());
      this.#watcher.on("error", () => {
        this.#watcher?.close();
        this.#watcher = null;
      });
    } catch {
      // The file does not exist yet, or watches have run out: polling continues.
    }
  }
}
