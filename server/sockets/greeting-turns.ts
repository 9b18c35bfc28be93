/**
 * Greetings of one runner come one after the other: each sees whom the one before let in, so that of connections that
 * greet at once one is left. Those of different runners do not wait for each other.
 */
export interface GreetingTurns {
  /** Begins once all earlier work of this runner has ended; ends as the work does. */
  take<T>(runnerId: string, work: () => Promise<T>): Promise<T>;
}

export function createGreetingTurns(): GreetingTurns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(runnerId, work) {
      const before = last.get(runnerId) ?? Promise.resolve();
      const mine = before.then(work, work).finally(() => {
        if (last.get(runnerId) === mine) last.delete(runnerId);
      });
      last.set(runnerId, mine);
      return mine;
    },
  };
}
