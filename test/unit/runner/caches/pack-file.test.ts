/** Caches of a workspace written to the runner's disk by `tar` itself: the same entries as `packCache` writes, or none at all. */
import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { readArchive, takeSnapshot } from "@forgeline/runner/caches/cache-snapshot.ts";
import { cacheTree } from "@forgeline/runner/caches/cache-tree.ts";
import { packCache, packIntoFile, type PackedCache } from "@forgeline/runner/caches/pack-cache.ts";
import { readTar } from "@forgeline/runner/caches/read-tar.ts";
import { createWorkspaceTar } from "@forgeline/runner/engine/docker/workspace-tar.ts";

const { signal } = new AbortController();
const directory = mkdtempSync(join(tmpdir(), "forgeline-pack-"));
afterAll(() => rmSync(directory, { recursive: true }));
let made = 0;

function workspace(): string {
  const inside = join(directory, String((made += 1)), "workspace");
  mkdirSync(inside, { recursive: true });
  return inside;
}

function cacheOf(inside: string, paths: string[]): PackedCache {
  const tar = createWorkspaceTar(inside);
  const read = async function* (path: string, within: AbortSignal) {
    yield* (await tar.read(path, within)) ?? [];
  };
  return {
    files: {
      user: { uid: 0, gid: 0, home: "/root" },
      stat: async (path) => ((await lstat(join(inside, "..", path)).catch(() => null)) ? "directory" : null),
      read,
      write: () => Promise.reject(new Error("nothing is written")),
      pack: (path, into, within) => tar.pack(path, into, within),
    },
    tree: cacheTree(paths, "/root"),
    limits: { bytes: 10_000_000, entries: 100 },
    signal,
    leftOut: [],
  };
}

async function entriesOf(archive: AsyncIterable<Buffer>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { pieces, path, ...entry } of readTar(archive)) {
    found.push({ ...entry, path: path.replace(/\/$/, ""), text: await text(pieces()) });
  }
  return found;
}

async function packed(cache: PackedCache): Promise<unknown[] | null> {
  await using file: FileHandle = await open(join(directory, `${(made += 1)}.tar`), "wx+");
  return (await packIntoFile(cache, file, signal)) ? await entriesOf(readArchive(file)) : null;
}

test.each([
  ["a directory", "deps"],
  ["one further down", "a/b/deps"],
  ["a name that means something to tar", "a/d&e.p $^1"],
])("%s becomes the same entries", async (_, path) => {
  const inside = workspace();
  const at = (name: string) => join(inside, path, name);
  mkdirSync(at(`deps/${"long/".repeat(60)}`), { recursive: true });
  writeFileSync(at("one"), "1");
  linkSync(at("one"), at("deps/second"));
  symlinkSync("../deps/one", at("deps/link"));
  writeFileSync(at("setuid"), "x".repeat(2_000));
  chmodSync(at("setuid"), 0o6755);
  const cache = cacheOf(inside, [path]);
  const entries = await packed(cache);
  expect(entries).toHaveLength(66);
  expect(entries).toEqual(await entriesOf(packCache(cache)));
});

test.each([
  ["what no cache holds", ["deps"], (deps: string) => execFileSync("mkfifo", [join(deps, "pipe")])],
  ["a pattern that leaves some out", ["deps/*.js"], () => undefined],
  ["several places", ["deps", "other"], () => undefined],
  ["a way through a link", ["link/deps"], () => undefined],
])("%s is left to others", async (_, paths, make) => {
  const inside = workspace();
  mkdirSync(join(inside, "deps"));
  symlinkSync(".", join(inside, "link"));
  for (const name of ["a.js", "a.ts"]) writeFileSync(join(inside, "deps", name), name);
  make(join(inside, "deps"));
  expect(await packed(cacheOf(inside, paths))).toBeNull();
});

test("more than a cache may have is told", async () => {
  const inside = workspace();
  mkdirSync(join(inside, "deps"));
  for (let n = 0; n < 101; n += 1) writeFileSync(join(inside, "deps", String(n)), "");
  await expect(packed(cacheOf(inside, ["deps"]))).rejects.toThrow("more than 100 files");
});

test("what has no room on the disk comes from its source, whole", async () => {
  const inside = workspace();
  mkdirSync(join(inside, "deps"));
  writeFileSync(join(inside, "deps", "large"), "x".repeat(5_000_000));
  const cache = cacheOf(inside, ["deps"]);
  const source = {
    pieces: packCache(cache),
    intoFile: (file: FileHandle, full: AbortSignal) => packIntoFile(cache, file, full),
  };
  const room = { maxBytes: 1_000_000, minFreeBytes: 0 };
  const snapshot = await takeSnapshot(join(directory, "room.tar"), source, room);
  expect([snapshot.isWhole, snapshot.sizeBytes <= room.maxBytes]).toEqual([false, true]);
  expect(await entriesOf(snapshot.pieces())).toEqual(await entriesOf(packCache(cache)));
});
