/** A budget for each of many, such as users or addresses, in bounded memory. */
import { createTokenBucket, type BucketSize, type TokenBucket } from "./token-bucket.ts";

/** Beyond so many the full ones are forgotten, which are as good as new; where none is full, the oldest. */
const maxKept = 10_000;

export type TokenBuckets = (key: string) => TokenBucket;

export function createTokenBuckets(size: BucketSize, max: number = maxKept): TokenBuckets {
  const buckets = new Map<string, TokenBucket>();
  function makeRoom(): void {
    for (const [key, bucket] of buckets) if (bucket.left() >= size.burst) buckets.delete(key);
    const [oldest] = buckets.keys();
    if (buckets.size >= max && oldest !== undefined) buckets.delete(oldest);
  }
  return (key) => {
    const kept = buckets.get(key);
    if (kept) return kept;
    if (buckets.size >= max) makeRoom();
    const bucket = createTokenBucket(size);
    buckets.set(key, bucket);
    return bucket;
  };
}
