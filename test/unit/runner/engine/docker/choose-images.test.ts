import { expect, test } from "vitest";
import { freshMs, imagesToRemove, type CachedImage } from "@forgeline/runner/engine/docker/choose-images.ts";

const now = 1_000 * freshMs;
const image = (id: string, over: Partial<CachedImage> = {}): CachedImage => ({
  id,
  bytes: 10,
  lastUsedMs: now - 2 * freshMs,
  isKept: false,
  ...over,
});
const idsOf = (images: readonly CachedImage[], maxBytes: number) =>
  imagesToRemove(images, { maxBytes, nowMs: now }).map(({ id }) => id);

test("as many go as must, those first that were used longest ago", () => {
  const images = [3, 1, 2].map((age) => image(`${age}`, { lastUsedMs: now - age * 2 * freshMs }));
  expect([30, 29, 20, 10, 0].map((max) => idsOf(images, max))).toEqual([
    [],
    ["3"],
    ["3"],
    ["3", "2"],
    ["3", "2", "1"],
  ]);
});

test("what is kept and what was just used stays and counts, even where that is too much", () => {
  const images = [
    image("kept", { isKept: true }),
    image("fresh", { lastUsedMs: now - freshMs + 1 }),
    image("old"),
  ];
  expect(idsOf(images, 25)).toEqual(["old"]);
  expect(idsOf(images, 0)).toEqual(["old"]);
});
