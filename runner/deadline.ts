/** One timer that can be set again and cleared; it does not keep the process alive. */
export class Deadline {
  #timer: NodeJS.Timeout | null = null;

  set(ms: number, onPassed: () => void): void {
    this.clear();
    this.#timer = setTimeout(onPassed, ms);
    this.#timer.unref();
  }

  clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
