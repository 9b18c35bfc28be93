import { fstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { syncRefs } from "@forgeline/server/platform/git/refs/refs.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "forgeline-refs-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

/** Every file that is synced from now on, by its inode. */
async function watchSyncs(): Promise<number[]> {
  const handle = await open(directory);
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const synced: number[] = [];
  const { sync } = handles;
  vi.spyOn(handles, "sync").mockImplementation(async function (this: FileHandle) {
    await sync.call(this);
    synced.push(fstatSync(this.fd).ino);
  });
  return synced;
}

const inodes = (...paths: string[]) => paths.map((path) => statSync(join(directory, path)).ino);
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

test("each directory that may have got a name is synced once: of packs, of loose objects, of the refs and all above", async () => {
  for (const path of ["objects/pack", "refs/heads/feature/deep", "refs/tags", "refs/notes"])
    mkdirSync(join(directory, path), { recursive: true });
  const synced = await watchSyncs();
  await syncRefs(directory, ["refs/heads/main", "refs/heads/feature/deep/x", "refs/tags/v1"]);
  const named = ["refs", "refs/heads", "refs/heads/feature", "refs/heads/feature/deep", "refs/tags"];
  expect(sorted(synced)).toEqual(sorted(inodes(".", "objects", "objects/pack", ...named)));
});

test("a directory that went away with its last ref is no failure, nor is a ref in its place", async () => {
  for (const path of ["objects/pack", "refs/heads"]) mkdirSync(join(directory, path), { recursive: true });
  writeFileSync(join(directory, "refs/heads/gone"), "");
  const synced = await watchSyncs();
  await syncRefs(directory, ["refs/heads/gone/x", "refs/heads/absent/x"]);
  expect(synced).toEqual(
    expect.arrayContaining(inodes(".", "objects", "objects/pack", "refs", "refs/heads")),
  );
});
