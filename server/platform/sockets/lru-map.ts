/** A map that forgets what was requested longest ago once it holds so many. */
export interface LruMap<Value> {
  /** What is kept under the key, which does not become more recent by it. */
  peek(key: string): Value | undefined;
  /** What is kept under the key, or what is made for it now. */
  get(key: string, make: () => Value): Value;
  forget(key: string): void;
}

export function createLruMap<Value>(max: number): LruMap<Value> {
  const values = new Map<string, Value>();
  return {
    peek: (key) => values.get(key),
    get(key, make) {
      const value = values.get(key) ?? make();
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > max && oldest !== undefined) values.delete(oldest);
      return value;
    },
    forget: (key) => void values.delete(key),
  };
}
