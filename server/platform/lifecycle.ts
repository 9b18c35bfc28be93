/** What runs for as long as its process. Begun in order, and closed in reverse, so that each closes before what it stands on. */
export interface Lifecycle {
  /** Begins what it does by itself. Only servers do: a worker and a command use the same services without it. */
  start?(): void;
  /** Resolves when nothing of it is under way any more. Also called where it was never started. */
  close?(): void | Promise<void>;
}

/** Several, as one. */
export function joinLifecycles(lifecycles: readonly Lifecycle[]): Required<Lifecycle> {
  return {
    start() {
      for (const each of lifecycles) each.start?.();
    },
    async close() {
      for (const each of lifecycles.toReversed()) await each.close?.();
    },
  };
}
