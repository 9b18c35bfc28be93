/** Offers that were accepted and whose lease has not come yet. Each holds a slot until its time is over. */
import { leaseKey } from "./state/job-record.ts";

interface Lease {
  attemptId: string;
  epoch: number;
}

/** A lease may come this much later than the offer's deadline, over a slow network. */
const patienceMs = 10_000;

export class AcceptedOffers {
  readonly #waiting = new Map<string, { lease: Lease; timer: NodeJS.Timeout }>();

  get size(): number {
    return this.#waiting.size;
  }

  accepted(): Lease[] {
    return [...this.#waiting.values()].map(({ lease }) => lease);
  }

  accept(lease: Lease, deadlineMs: number, onExpired: () => void): void {
    this.settle(lease);
    const timer = setTimeout(() => {
      this.#waiting.delete(leaseKey(lease));
      onExpired();
    }, deadlineMs + patienceMs);
    timer.unref();
    this.#waiting.set(leaseKey(lease), { lease, timer });
  }

  /** The lease came, or will not come. */
  settle(lease: Lease): void {
    const waiting = this.#waiting.get(leaseKey(lease));
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(leaseKey(lease));
  }
}
