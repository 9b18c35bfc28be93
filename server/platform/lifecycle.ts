/**
 * What runs for as long as its process. Started in order, and drained and closed in reverse, so that each closes before
 * what it stands on.
 */
export interface Lifecycle {
  /** Begins what it does by itself. Only servers do: a worker and a command use the same services without it. */
  start?(): void;
  /**
   * Begins the end while what is under way still goes on: nobody waits here any longer, and nothing says any longer that
   * somebody could. Only servers do, before they close.
   */
  drain?(): void | Promise<void>;
  /** Resolves when nothing of it is under way any more. Also called where it was never started or drained. */
  close?(): void | Promise<void>;
}

/** Several, as one: each is drained and closed when those after it are. */
export function joinLifecycles(lifecycles: readonly Lifecycle[]): Required<Lifecycle> {
  return {
    start() {
      for (const each of lifecycles) each.start?.();
    },
    async drain() {
      for (const each of lifecycles.toReversed()) await each.drain?.();
    },
    async close() {
      for (const each of lifecycles.toReversed()) await each.close?.();
    },
  };
}

/** The same of some that do not stand on each other: they close at the same time, so that it takes no longer than the slowest. */
export function joinConcurrently(lifecycles: readonly Lifecycle[]): Required<Lifecycle> {
  return {
    start() {
      for (const each of lifecycles) each.start?.();
    },
    async drain() {
      await Promise.all(lifecycles.map(async (each) => each.drain?.()));
    },
    async close() {
      await Promise.all(lifecycles.map(async (each) => each.close?.()));
    },
  };
}
