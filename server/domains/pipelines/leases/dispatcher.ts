/**
 * Chooses the connected runner for the next job: the one with the most free slots whose labels match something in the queue.
 * One round runs at a time in a process; other processes do the same on the same queue.
 */
import type { Lifecycle } from "../../../platform/lifecycle.ts";
import type { RunnerSettings } from "../runners/settings.ts";
import { createRunnerOffers, type RunnerOffers, type RunnerOffersDeps } from "./runner-offers.ts";
import type { OfferTarget } from "./runner-slots.ts";
import type { LeaseService } from "./service.ts";

export interface DispatcherDeps extends RunnerOffersDeps {
  leases: RunnerOffersDeps["leases"] & Pick<LeaseService, "onQueue" | "apart">;
  settings: RunnerOffersDeps["settings"] & Pick<RunnerSettings, "queuePollMs">;
}

/** Once started, checks the queue when something was queued, and at intervals. Closing resolves when no check is under way. */
export interface Dispatcher extends Required<Pick<Lifecycle, "start" | "close">> {
  /** Checks the queue soon; calls during a check cause one more. */
  wake(): void;
  /** Offers for a connection, which gets none before `enter`. */
  offersTo(target: OfferTarget): RunnerOffers;
  /** From now on jobs are offered here; an older connection of the same runner gets no more. */
  enter(offers: RunnerOffers): void;
  /** Does nothing when a newer connection has taken its place. */
  leave(offers: RunnerOffers): void;
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const connected = new Map<string, RunnerOffers>();
  const stops: (() => void)[] = [];
  let again = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (again) {
      again = false;
      await deps.leases
        .apart()
        .then((ids) => offerRound(connected, new Set(ids)))
        .catch((error: Error) => deps.logger.warn({ error: error.message }, "the queue could not be read"));
    }
    running = undefined;
  }

  function wake(): void {
    again = true;
    running ??= run();
  }

  return {
    wake,
    start() {
      const timer = setInterval(wake, deps.settings.queuePollMs);
      stops.push(deps.leases.onQueue(wake), () => clearInterval(timer));
    },
    async close() {
      for (const stop of stops.splice(0)) stop();
      await running;
    },
    offersTo: (target) => createRunnerOffers(deps, target, wake),
    enter(offers) {
      connected.set(offers.runnerId, offers);
      wake();
    },
    leave(offers) {
      if (connected.get(offers.runnerId) === offers) connected.delete(offers.runnerId);
    },
  };
}

/** Offers jobs until every runner is full or nothing matches. Those `apart` are a kind of their own. */
async function offerRound(
  connected: ReadonlyMap<string, RunnerOffers>,
  apart: ReadonlySet<string>,
): Promise<void> {
  const kindOf = (offers: RunnerOffers) => (apart.has(offers.runnerId) ? offers.runnerId : offers.kind());
  const nothingFor = new Set<string>();
  for (;;) {
    let roomiest: RunnerOffers | undefined;
    let room = 0;
    for (const offers of connected.values()) {
      const free = offers.freeSlots();
      if (free > room && !nothingFor.has(kindOf(offers))) [roomiest, room] = [offers, free];
    }
    if (!roomiest) return;
    if (!(await roomiest.offerNext())) nothingFor.add(kindOf(roomiest));
  }
}
