/** Ends exchanges of slow clients, one for each that waits for such a place. */
import type { Claim } from "./exchange-gate.ts";

/** The exchange of a claim, as far as its client may be too slow for it. */
export interface SlowClient {
  isSlow(): boolean;
  /** Ends it; its place is given back soon after. */
  end(): void;
}

export interface Places {
  /** Who waits, the first first. */
  waiting(): Iterable<Claim>;
  running(): Iterable<Claim>;
  /** Whether this one's place is among those that the other one waits for. */
  isInTheWay(running: Claim, waiting: Claim): boolean;
  /** Told of each that is ended. */
  ended(claim: Claim): void;
}

const lookEveryMs = 1_000;

export interface SlowClients {
  /** Looks from time to time, for as long as anybody waits. To be called when somebody begins to. */
  watch(): void;
}

export function createSlowClients(places: Places): SlowClients {
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const slow = new Set([...places.running()].filter(({ client }) => client?.isSlow()));
    let waits = false;
    for (const waiting of places.waiting()) {
      waits = true;
      const found = [...slow].find((each) => places.isInTheWay(each, waiting));
      if (!found) continue;
      slow.delete(found);
      places.ended(found);
      found.client?.end();
    }
    if (waits) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch: () => void (timer ??= setInterval(look, lookEveryMs).unref()),
  };
}
