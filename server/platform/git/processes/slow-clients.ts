/**
 * Ends exchanges of slow clients, one for each that waits for such a slot. Of buffers on the way nothing is known: who reads steadily
 * may seem to rest for half a minute, so who has one slot only is ended later than who has several.
 */
import type { Claim } from "./git-slots.ts";

/** The exchange of a claim, as far as its client may be too slow for it. */
export interface SlowClient {
  /** For how long it has been too slow; 0 where it is not. */
  behindMs(): number;
  /** Ends it; its slot is given back soon after. */
  end(): void;
}

export interface Slots {
  /** Who waits, the first first. */
  waiting(): Iterable<Claim>;
  running(): Iterable<Claim>;
  /** How many its user holds. */
  heldBy(user: string): number;
  /** Whether this one's slot is among those that the other one waits for. */
  isInTheWay(running: Claim, waiting: Claim): boolean;
  /** Told of each that is ended. */
  ended(claim: Claim): void;
}

export interface SlowClients {
  /** Looks from time to time, for as long as anybody waits. To be called when somebody begins to. */
  watch(): void;
}

const lookEveryMs = 1_000;
const aloneMs = 45_000;

export function createSlowClients(slots: Slots): SlowClients {
  let timer: NodeJS.Timeout | undefined;
  /** Some take their time to go, and must not stand for others meanwhile. */
  const told = new WeakSet<Claim>();

  /** Whose user holds most first, then who is furthest behind. */
  function slowOnes(): Claim[] {
    return [...slots.running()]
      .map((claim) => ({
        claim,
        held: slots.heldBy(claim.user),
        behindMs: told.has(claim) ? 0 : (claim.client?.behindMs() ?? 0),
      }))
      .filter(({ held, behindMs }) => behindMs > (held > 1 ? 0 : aloneMs))
      .toSorted((a, b) => b.held - a.held || b.behindMs - a.behindMs)
      .map(({ claim }) => claim);
  }

  function look(): void {
    const slow = new Set(slowOnes());
    let waits = false;
    for (const waiting of slots.waiting()) {
      waits = true;
      const found = [...slow].find((each) => slots.isInTheWay(each, waiting));
      if (!found) continue;
      slow.delete(found);
      told.add(found);
      slots.ended(found);
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
