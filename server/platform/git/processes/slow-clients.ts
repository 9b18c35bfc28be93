/**
 * Ends exchanges of slow clients, one for each claim that waits for such a slot. Buffers on the way are invisible to us: a
 * client that reads steadily may seem to pause for half a minute, so a user with a single slot is ended later than one with
 * several.
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
  /** Claims that wait, in order of arrival. */
  waiting(): Iterable<Claim>;
  running(): Iterable<Claim>;
  /** How many slots the user holds. */
  heldBy(user: string): number;
  /** Whether the running claim holds a slot that the waiting one could use. */
  isBlocking(running: Claim, waiting: Claim): boolean;
  /** Called for each claim that is ended. */
  ended(claim: Claim): void;
}

export interface SlowClients {
  /** Checks periodically for as long as anybody waits. To be called when somebody starts to wait. */
  watch(): void;
}

const checkIntervalMs = 1_000;
const onlySlotGraceMs = 45_000;

export function createSlowClients(slots: Slots): SlowClients {
  let timer: NodeJS.Timeout | undefined;
  /** Some take a while to end, and must not count for another claim meanwhile. */
  const ending = new WeakSet<Claim>();

  /** Those of the user with the most slots first, then those furthest behind. */
  function slowOnes(): Claim[] {
    return [...slots.running()]
      .map((claim) => ({
        claim,
        held: slots.heldBy(claim.user),
        behindMs: ending.has(claim) ? 0 : (claim.client?.behindMs() ?? 0),
      }))
      .filter(({ held, behindMs }) => behindMs > (held > 1 ? 0 : onlySlotGraceMs))
      .toSorted((a, b) => b.held - a.held || b.behindMs - a.behindMs)
      .map(({ claim }) => claim);
  }

  function endSlowOnes(): void {
    const slow = new Set(slowOnes());
    let waits = false;
    for (const waiting of slots.waiting()) {
      waits = true;
      const found = [...slow].find((each) => slots.isBlocking(each, waiting));
      if (!found) continue;
      slow.delete(found);
      ending.add(found);
      slots.ended(found);
      found.client?.end();
    }
    if (waits) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch: () => void (timer ??= setInterval(endSlowOnes, checkIntervalMs).unref()),
  };
}
