/** Pure: which images of the cache go, so that the rest fits. */

export interface CachedImage {
  id: string;
  bytes: number;
  /** By a job; milliseconds since 1970. */
  lastUsedMs: number;
  /** A container has it, or the operator listed it. */
  isKept: boolean;
}

/** A job that has just found its image may not have its container yet. */
export const freshMs = 10 * 60_000;

/** Those that were used longest ago first; none that is kept or was used in the last ten minutes, even if it is too much then. */
export function imagesToRemove(
  images: readonly CachedImage[],
  { maxBytes, nowMs }: { maxBytes: number; nowMs: number },
): CachedImage[] {
  let bytes = images.reduce((sum, image) => sum + image.bytes, 0);
  const removable = images
    .filter(({ isKept, lastUsedMs }) => !isKept && nowMs - lastUsedMs >= freshMs)
    .toSorted((a, b) => a.lastUsedMs - b.lastUsedMs);
  const removed: CachedImage[] = [];
  for (const image of removable) {
    if (bytes <= maxBytes) break;
    removed.push(image);
    bytes -= image.bytes;
  }
  return removed;
}
