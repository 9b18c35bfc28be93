/** Beats at an interval and tells when the other side has been silent for three of them; monotonic clock only. */
const silentIntervals = 3;

export class Liveness {
  readonly #intervalMs: number;
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();

  constructor(intervalMs: number, on: { beat: () => void; dead: () => void }) {
    this.#intervalMs = intervalMs;
    this.#timer = setInterval(() => {
      if (performance.now() - this.#heardAt > silentIntervals * this.#intervalMs) on.dead();
      else on.beat();
    }, intervalMs);
  }

  /** Anything at all came from the other side. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
