/**
 * Limits new connections per second. The key exchange comes before any authentication and costs this process over a
 * millisecond; so a connection takes from the budget of its address and from a shared one, and gives both back when it logs in.
 * If nothing is left it waits, one address after the other, unread and at no cost.
 */
import type { BucketSize, TokenBucket } from "../../platform/token-bucket.ts";
import { createTokenBucket } from "../../platform/token-bucket.ts";
import { createTokenBuckets } from "../../platform/token-buckets.ts";

export interface HandshakeLimits {
  ofAddress: BucketSize;
  /** For all addresses without a login so far, and for all others: a flood of strangers does not keep out known addresses. */
  strangers: BucketSize;
  known: BucketSize;
}

export interface Handshake {
  /** It logged in, so it does not count. */
  loggedIn(): void;
}

export interface Handshakes {
  /** Calls back when it may begin, which may be at once. */
  begin(newcomer: PendingHandshake): void;
}

export interface PendingHandshake {
  block: string;
  isGone(): boolean;
  mayBegin(handshake: Handshake): void;
  /** It has to wait. */
  onHeld(): void;
}

const maxKnown = 10_000;
const checkIntervalMs = 50;

export function createHandshakes(limits: HandshakeLimits): Handshakes {
  const ofAddress = createTokenBuckets(limits.ofAddress);
  const ofAll = { strangers: createTokenBucket(limits.strangers), known: createTokenBucket(limits.known) };
  const known = new Set<string>();
  /** By address, in the order of their turns. */
  const waiting = new Map<string, PendingHandshake[]>();
  let timer: NodeJS.Timeout | undefined;

  /** False if too many have begun. */
  function start({ block, mayBegin }: PendingHandshake): boolean {
    const taken: TokenBucket[] = [ofAddress(block), known.has(block) ? ofAll.known : ofAll.strangers];
    if (taken.some((bucket) => bucket.left() < 1)) return false;
    for (const bucket of taken) bucket.owe(1);
    mayBegin({
      loggedIn() {
        for (const bucket of taken) bucket.giveBack(1);
        know(block);
      },
    });
    return true;
  }

  function know(block: string): void {
    known.delete(block);
    known.add(block);
    const [oldest] = known;
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  }

  /** Whether anybody could begin; each address once. */
  function startOnePerAddress(): boolean {
    let hasBegun = false;
    // A copy: addresses that keep waiting are moved to the end.
    const all = [...waiting];
    for (const [block, newcomers] of all) {
      const there = newcomers.filter((newcomer) => !newcomer.isGone());
      waiting.set(block, there);
      const [first, ...others] = there;
      if (first && !start(first)) continue;
      hasBegun ||= first !== undefined;
      waiting.delete(block);
      // Behind all addresses that still wait.
      if (others.length > 0) waiting.set(block, others);
    }
    return hasBegun;
  }

  function startWaiting(): void {
    while (startOnePerAddress());
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    begin(newcomer) {
      const before = waiting.get(newcomer.block);
      if (!before && start(newcomer)) return;
      newcomer.onHeld();
      waiting.set(newcomer.block, [...(before ?? []), newcomer]);
      timer ??= setInterval(startWaiting, checkIntervalMs);
    },
  };
}
