/** Remembers what is expensive to make and never changes, within a bound of entries and of memory. */

export interface BoundedCache<Value> {
  /** What is remembered under this key, or what `make` gives; callers at the same time share one `make`. A failure is not kept. */
  get(key: string, make: () => Promise<Value>): Promise<Value>;
}

export interface CacheBounds<Value> {
  maxEntries: number;
  /** Of all entries together. A value larger than that is not kept. */
  maxBytes: number;
  /** About how much memory a value takes. */
  bytesOf(value: Value): number;
}

export function createBoundedCache<Value>(bounds: CacheBounds<Value>): BoundedCache<Value> {
  const making = new Map<string, Promise<Value>>();
  // In order of use: the first is the one unused for longest.
  const kept = new Map<string, { value: Value; bytes: number }>();
  let total = 0;

  function drop(key: string): void {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  function keep(key: string, value: Value): void {
    const bytes = bounds.bytesOf(value);
    if (bytes > bounds.maxBytes) return;
    kept.set(key, { value, bytes });
    total += bytes;
    while (total > bounds.maxBytes || kept.size > bounds.maxEntries) drop(kept.keys().next().value!);
  }

  async function made(key: string, make: () => Promise<Value>): Promise<Value> {
    try {
      const value = await make();
      keep(key, value);
      return value;
    } finally {
      making.delete(key);
    }
  }

  return {
    async get(key, make) {
      const found = kept.get(key);
      if (found) {
        kept.delete(key);
        kept.set(key, found);
        return found.value;
      }
      const running = making.get(key) ?? made(key, make);
      making.set(key, running);
      return running;
    },
  };
}
