import { expect, it, vi } from "vitest";
import { createBoundedCache } from "@forgeline/server/platform/bounded-cache.ts";

const cacheOf = (maxEntries: number, maxBytes = 100) =>
  createBoundedCache<string>({ maxEntries, maxBytes, bytesOf: (value) => value.length });
const maker = (value: string) => vi.fn<() => Promise<string>>(() => Promise.resolve(value));

it("makes a value once, also for callers at the same time", async () => {
  const cache = cacheOf(2);
  const make = maker("x");
  expect(await Promise.all([cache.get("a", make), cache.get("a", make)])).toEqual(["x", "x"]);
  expect(await cache.get("a", make)).toBe("x");
  expect(make).toHaveBeenCalledTimes(1);
});

it("forgets what was unused for longest, by number and by size", async () => {
  for (const cache of [cacheOf(2), cacheOf(9, 7)]) {
    for (const key of ["a", "b", "a", "c"]) await cache.get(key, maker("xxx"));
    const [again, gone] = [maker("xxx"), maker("xxx")];
    await cache.get("a", again);
    await cache.get("b", gone);
    expect([again.mock.calls.length, gone.mock.calls.length]).toEqual([0, 1]);
  }
});

it("keeps no failure, and nothing that is too large", async () => {
  const cache = cacheOf(2, 5);
  await expect(cache.get("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const make = maker("too large");
  for (const _ of [1, 2]) expect(await cache.get("a", make)).toBe("too large");
  expect(make).toHaveBeenCalledTimes(2);
});
