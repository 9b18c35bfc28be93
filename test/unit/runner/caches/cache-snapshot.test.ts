/** What a cache holds on the runner's disk: all of it comes out again, whatever went wrong on the way. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takeSnapshot } from "@forgeline/runner/caches/cache-snapshot.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-snapshots-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const mib = 1024 * 1024;
const pieces = [Buffer.from("first"), Buffer.alloc(3 * mib, "x"), Buffer.from("last")];
const all = Buffer.concat(pieces);
let isOver = false;

/** Small and large pieces; `then` follows the last. */
async function* source(then?: () => void) {
  isOver = false;
  try {
    yield* pieces;
    then?.();
  } finally {
    isOver = true;
  }
}

test.each([
  ["room for all", all.length, 0, true],
  ["room for the first piece", 5, 0, false],
  ["no room", 0, 0, false],
  ["a full disk", all.length, Number.MAX_SAFE_INTEGER, false],
])("with %s", async (_, maxBytes, minFreeBytes, isWhole) => {
  const snapshot = await takeSnapshot(
    join(directory, "one.tar"),
    { pieces: source() },
    { maxBytes, minFreeBytes },
  );
  expect(snapshot.isWhole).toBe(isWhole);
  // What has no room is not asked for yet.
  expect(isOver).toBe(isWhole);
  expect((await buffer(snapshot.pieces())).equals(all)).toBe(true);
  expect(isOver).toBe(true);
  await snapshot.remove();
  await snapshot.remove();
  expect(await readdir(directory)).toEqual([]);
});

test("what cannot be read to its end leaves nothing", async () => {
  const broken = source(() => {
    throw new Error("too large");
  });
  const room = { maxBytes: all.length, minFreeBytes: 0 };
  await expect(takeSnapshot(join(directory, "two.tar"), { pieces: broken }, room)).rejects.toThrow(
    "too large",
  );
  expect(await readdir(directory)).toEqual([]);
});
