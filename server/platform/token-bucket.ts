/** A budget that fills up again by itself: so much at once, and so much a second in the long run. Monotonic clock only. */
export interface BucketSize {
  burst: number;
  perSecond: number;
}

export interface TokenBucket {
  /** False, and nothing is taken, when there is not so much. */
  take(cost: number): boolean;
  /** Takes it in any case: what is not there has to flow in before there is anything again. */
  owe(cost: number): void;
  /** What was taken and turned out to be free. */
  giveBack(cost: number): void;
  /** Less than nothing where something is owed. */
  left(): number;
  /** Until so much is there again; 0 when it is. */
  msUntil(amount: number): number;
}

export function createTokenBucket(size: BucketSize): TokenBucket {
  let tokens = size.burst;
  let filledAtMs = performance.now();
  const left = () => {
    const now = performance.now();
    tokens = Math.min(size.burst, tokens + ((now - filledAtMs) * size.perSecond) / 1000);
    filledAtMs = now;
    return tokens;
  };
  return {
    take(cost) {
      if (left() < cost) return false;
      tokens -= cost;
      return true;
    },
    owe(cost) {
      tokens = left() - cost;
    },
    giveBack(cost) {
      tokens = Math.min(size.burst, left() + cost);
    },
    left,
    msUntil: (amount) => Math.max(0, ((amount - left()) * 1000) / size.perSecond),
  };
}
