/** How long something that fails for a passing reason waits for its next try: twice as long each time, as this process has seen it. */

export interface GrowingWaits {
  /** Seconds until the next try of what has just failed. */
  next(key: string): number;
  /** It has not failed this time. Safe to repeat. */
  forget(key: string): void;
}

export interface WaitBounds {
  firstSeconds: number;
  longestSeconds: number;
  /** Of how many it is remembered; what failed longest ago is forgotten, and begins with the first wait. */
  maxEntries: number;
}

/** For what failed as where Git or the database is too busy: whoever waits for the result waits no longer than it takes. */
export const failureWaits: WaitBounds = { firstSeconds: 2, longestSeconds: 60, maxEntries: 10_000 };

export function createGrowingWaits({ firstSeconds, longestSeconds, maxEntries }: WaitBounds): GrowingWaits {
  // In order of failure: the first is the one that failed longest ago.
  const waits = new Map<string, number>();
  return {
    next(key) {
      const last = waits.get(key);
      const seconds = last === undefined ? firstSeconds : Math.min(last * 2, longestSeconds);
      waits.delete(key);
      waits.set(key, seconds);
      if (waits.size > maxEntries) waits.delete(waits.keys().next().value!);
      return seconds;
    },
    forget(key) {
      waits.delete(key);
    },
  };
}
