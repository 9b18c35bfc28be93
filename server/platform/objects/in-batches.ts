/** Looks at a long list piece by piece. */

/** `size` of them together; the last ones may be fewer. Throws the signal's reason, and what `items` throws. */
export async function* inBatches<T>(
  items: AsyncIterable<T>,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<T[]> {
  let some: T[] = [];
  for await (const item of items) {
    signal.throwIfAborted();
    some.push(item);
    if (some.length < size) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
