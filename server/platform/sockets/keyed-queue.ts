/** Work of one key comes one after the other; that of different keys does not wait for each other. */
export interface Turns {
  /** Begins once all earlier work of this key has ended; ends as the work does. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work).finally(() => {
        if (last.get(key) === mine) last.delete(key);
      });
      last.set(key, mine);
      return mine;
    },
  };
}
