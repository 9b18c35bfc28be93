/** How many offers a connected runner can get now: its free slots, except those that are resting. */
import type { ConnectedRunner, RunnerConnection } from "../runners/connections.ts";
import type { Offer } from "./claims.ts";

/** A runner's connection, as offers see it. */
export interface OfferTarget {
  readonly runner: ConnectedRunner;
  /** What the runner said of itself when it connected. */
  readonly hello: { instanceId: string; capacity: number; draining: boolean };
  isOpen(): boolean;
  /** The last state of this connection in the database. */
  state(): Pick<RunnerConnection, "labels" | "mustName" | "groupId" | "capacity" | "paused" | "draining">;
  /** How many leases it holds. */
  countLeases(): number;
  /** Sends the offer, to be answered within `deadlineMs`. */
  offer(offer: Offer, deadlineMs: number): void;
}

export interface RunnerSlots {
  free(pendingOffers: number): number;
  /** Whether the runner itself accepts no more. */
  setAgentDraining(draining: boolean): void;
  /** Rests one slot: it gets no offers for a while. */
  restOne(ms: number): void;
  /** The same for the whole runner, however many slots it reports. */
  restAll(ms: number): void;
}

/** `onFree` is called when a rest is over. */
export function createRunnerSlots(target: OfferTarget, onFree: () => void): RunnerSlots {
  let agentDraining = target.hello.draining;
  let resting = 0;
  let allRestUntil = 0;
  return {
    free(pendingOffers) {
      const { capacity, paused, draining } = target.state();
      if (!target.isOpen() || agentDraining || paused || draining) return 0;
      if (performance.now() < allRestUntil) return 0;
      return Math.min(target.hello.capacity, capacity) - target.countLeases() - pendingOffers - resting;
    },
    setAgentDraining(draining) {
      agentDraining = draining;
    },
    restOne(ms) {
      resting += 1;
      setTimeout(() => {
        resting -= 1;
        onFree();
      }, ms).unref();
    },
    restAll(ms) {
      allRestUntil = performance.now() + ms;
      setTimeout(onFree, ms + 1).unref();
    },
  };
}
