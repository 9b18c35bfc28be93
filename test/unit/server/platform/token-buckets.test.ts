import { expect, test } from "vitest";
import { createTokenBucket } from "@forgeline/server/platform/token-bucket.ts";
import { createTokenBuckets } from "@forgeline/server/platform/token-buckets.ts";

const size = { burst: 10, perSecond: 0.001 };

test("what is owed has to come first, and nothing is given back beyond the burst", () => {
  const bucket = createTokenBucket({ burst: 10, perSecond: 1 });
  bucket.owe(1_010);
  expect(bucket.take(1)).toBe(false);
  expect(bucket.msUntil(0)).toBeGreaterThan(900_000);
  bucket.giveBack(5_000);
  expect(bucket.left()).toBe(10);
});

test("full budgets are forgotten first, then the oldest", () => {
  const buckets = createTokenBuckets(size, 3);
  const [a, b, c] = ["a", "b", "c"].map((key) => buckets(key));
  a!.owe(5);
  b!.owe(5);
  const d = buckets("d");
  d.owe(5);
  expect([buckets("a"), buckets("b"), buckets("d")]).toEqual([a, b, d]);
  expect(buckets("c")).not.toBe(c);
  expect(buckets("a")).not.toBe(a);
});
