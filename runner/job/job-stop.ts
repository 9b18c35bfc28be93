/**
 * How a job is told to stop. The first request decides status and reason; a later one can only force. Steps that run
 * `always` get a limited time after it. `revoke` is different: nothing more is done or reported.
 */
import { EventEmitter } from "node:events";

export interface StopRequest {
  status: "cancelled" | "failed" | "error";
  reason: string;
  message: string;
  graceMs: number;
  /** Skip the steps that run `always`. */
  force: boolean;
}

/** `atMs`: when it was asked, by the clock that steps are measured with. */
export type AskedStop = StopRequest & { atMs: number };

const alwaysLimitMs = 5 * 60_000;

export class JobStop {
  #request: StopRequest | null = null;
  #askedAtMs = 0;
  readonly #asked = new AbortController();
  readonly #forced = new AbortController();
  readonly #revoked = new AbortController();
  #alwaysTimer: NodeJS.Timeout | null = null;

  constructor() {
    for (const { signal } of [this.#asked, this.#forced, this.#revoked])
      EventEmitter.setMaxListeners(0, signal);
  }

  get request(): StopRequest | null {
    return this.#request;
  }

  get timed(): AskedStop | null {
    return this.#request && { ...this.#request, atMs: this.#askedAtMs };
  }

  /** Aborted at the first request. */
  get asked(): AbortSignal {
    return this.#asked.signal;
  }

  /** Aborted when no more steps may run, `always` ones included. */
  get forced(): AbortSignal {
    return this.#forced.signal;
  }

  /** Aborted when the lease is lost. */
  get revoked(): AbortSignal {
    return this.#revoked.signal;
  }

  ask(request: StopRequest): void {
    if (this.#request === null) {
      this.#request = request;
      this.#askedAtMs = Date.now();
      this.#asked.abort(new Error(request.message));
      this.#alwaysTimer = setTimeout(() => this.#forced.abort(), request.graceMs + alwaysLimitMs);
    }
    if (request.force) this.#forced.abort();
  }

  revoke(): void {
    this.#revoked.abort(new Error("the lease was taken away"));
    this.#forced.abort();
    this.#asked.abort(new Error("the lease was taken away"));
  }

  /** The job is over; timers end. */
  dispose(): void {
    if (this.#alwaysTimer) clearTimeout(this.#alwaysTimer);
  }
}

/** The runner itself cannot continue with the job; `infra` lets the server try it elsewhere. */
export function infraStop(graceMs: number, message: string): StopRequest {
  return { status: "error", reason: "infra", message, graceMs, force: true };
}
