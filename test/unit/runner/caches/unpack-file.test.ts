/** Archives that lie on the runner's disk, put into a workspace by `tar` itself: what `unpackCache` refuses is refused here too, before a byte is written. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { chmod, chown, lstat, open, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { cacheTree } from "@forgeline/runner/caches/cache-tree.ts";
import {
  encodeTarHeader,
  paddingOf,
  tarEnd,
  type WrittenEntry,
} from "@forgeline/runner/caches/tar-header.ts";
import { unpackFile } from "@forgeline/runner/caches/unpack-cache.ts";
import { createWorkspaceTar } from "@forgeline/runner/engine/docker/workspace-tar.ts";
import type { ContainerFiles } from "@forgeline/runner/engine/container-files.ts";

const { signal } = new AbortController();
const isRoot = process.getuid?.() === 0;
const someone = { uid: 54_321, gid: 54_322, home: "/home/me" };
const user = isRoot ? someone : { uid: process.getuid!(), gid: process.getgid!(), home: "/home/me" };
const directory = mkdtempSync(join(tmpdir(), "forgeline-unpack-"));
afterAll(() => rmSync(directory, { recursive: true }));

type Entry = Partial<WrittenEntry> & { path: string; bytes?: string };

function archiveOf(entries: readonly Entry[]): Buffer {
  const pieces = entries.flatMap(({ bytes = "", ...entry }) => {
    const whole = { kind: "file", target: "", mode: 0o640, modifiedS: 1, ...entry } as WrittenEntry;
    const sizeBytes = Buffer.byteLength(bytes);
    return [
      encodeTarHeader({ ...whole, sizeBytes }, { uid: 0, gid: 0 }),
      Buffer.from(bytes),
      Buffer.alloc(paddingOf(sizeBytes)),
    ];
  });
  return Buffer.concat([...pieces, tarEnd]);
}

let made = 0;
/** A workspace of the user, in a directory that is none of theirs. */
async function workspace(): Promise<{ inside: string; files: ContainerFiles }> {
  const inside = join(directory, String((made += 1)), "workspace");
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  await chown(inside, user.uid, user.gid);
  const tar = createWorkspaceTar(inside);
  const files: ContainerFiles = {
    user,
    async stat(path) {
      const facts = await lstat(join(inside, "..", path)).catch(() => null);
      if (facts === null) return null;
      return facts.isSymbolicLink() ? "link" : facts.isDirectory() ? "directory" : "file";
    },
    read: () => Readable.from([]),
    write: (archive, { signal: within }) => tar.write(Readable.from(archive), within),
    unpack: (archive, within) => tar.unpack(archive, user, within),
  };
  return { inside, files };
}

async function unpack(archive: Buffer, files: ContainerFiles, paths: string[]): Promise<boolean> {
  const path = join(directory, "one.tar");
  await writeFile(path, archive);
  await using file = await open(path);
  const limits = { bytes: 10_000, entries: 100 };
  return await unpackFile(file, { files, tree: cacheTree(paths, user.home), limits, signal });
}

test("files, links and what is missing above them are there, and belong to the user", async () => {
  const { inside, files } = await workspace();
  symlinkSync("/etc", join(inside, "packages"));
  const long = `${"long/".repeat(60)}b`;
  const archive = archiveOf([
    { kind: "directory", path: "workspace/some/deps", mode: 0o750 },
    { path: "workspace/some/deps/a", bytes: "x".repeat(1_000), mode: 0o755 },
    { kind: "link", path: "workspace/some/deps/l", target: "/etc/passwd", mode: 0o777 },
    { kind: "hard_link", path: "workspace/some/deps/h", target: "workspace/some/deps/a" },
    { path: `workspace/some/deps/${long}`, bytes: "two" },
    { path: "workspace/packages/one/node_modules/b", bytes: "three" },
  ]);
  expect(await unpack(archive, files, ["some/deps", "packages/*/node_modules"])).toBe(true);
  const at = (path: string) => join(inside, path);
  expect(readFileSync(at("some/deps/a"), "utf8")).toBe("x".repeat(1_000));
  expect(statSync(at("some/deps/h")).ino).toBe(statSync(at("some/deps/a")).ino);
  expect(readFileSync(at(`some/deps/${long}`), "utf8")).toBe("two");
  // The link of the checkout has given way.
  expect(readFileSync(at("packages/one/node_modules/b"), "utf8")).toBe("three");
  const facts = await Promise.all(
    ["some", "some/deps", "some/deps/a", "some/deps/l", "packages/one", "packages/one/node_modules/b"].map(
      async (path) => {
        const { uid, gid, mode } = await lstat(at(path));
        return [uid, gid, (mode & 0o777).toString(8)];
      },
    ),
  );
  const modes = ["755", "750", "755", "777", "755", "640"];
  expect(facts).toEqual(modes.map((mode) => [user.uid, user.gid, mode]));
});

test.each<[what: string, entries: Entry[], message: string]>([
  ["a path of another cache", [{ path: "workspace/src/a" }], "not among the paths"],
  ["a path that climbs", [{ path: "workspace/deps/../../a" }], "not among the paths"],
  [
    "a file below a link",
    [{ kind: "link", path: "workspace/deps/l", target: "/etc" }, { path: "workspace/deps/l/passwd" }],
    "below a link",
  ],
  [
    "a second name of a file elsewhere",
    [{ kind: "hard_link", path: "workspace/deps/h", target: "/etc/shadow" }],
    "neither a file nor a link",
  ],
  ["more bytes than allowed", [{ path: "workspace/deps/b", bytes: "x".repeat(10_001) }], "more than 10000"],
])("%s is refused, and nothing of its archive is there", async (_, entries, message) => {
  const { inside, files } = await workspace();
  const archive = archiveOf([{ path: "workspace/deps/a", bytes: "one" }, ...entries]);
  await expect(unpack(archive, files, ["deps"])).rejects.toThrow(message);
  expect(readdirSync(inside)).toEqual([]);
});

test("nothing goes through a link of the checkout, and what ends early is told", async () => {
  const { inside, files } = await workspace();
  symlinkSync("/tmp", join(inside, "a"));
  const archive = archiveOf([{ path: "workspace/a/deps/x", bytes: "x".repeat(2_000) }]);
  await expect(unpack(archive, files, ["a/deps"])).rejects.toThrow("/workspace/a is not a directory");
  rmSync(join(inside, "a"));
  for (const length of [1, 600, 1_500])
    await expect(unpack(archive.subarray(0, length), files, ["a/deps"])).rejects.toThrow("cannot be read");
  expect(readdirSync(inside)).toEqual([]);
});

test("what tar alone cannot restore as it should be is left to others", async () => {
  const { inside, files } = await workspace();
  const setuid = archiveOf([{ path: "workspace/deps/a", mode: 0o4755 }]);
  expect(await unpack(setuid, files, ["deps"])).toBe(false);
  const plain = archiveOf([{ path: "workspace/deps/a", bytes: "one" }]);
  expect(await unpack(plain, files, ["deps", "~/.npm"])).toBe(false);
  const { unpack: _, ...without } = files;
  expect(await unpack(plain, without, ["deps"])).toBe(false);
  expect(readdirSync(inside)).toEqual([]);
  if (!isRoot) return;
  // A directory of the checkout that the user may not write to.
  mkdirSync(join(inside, "deps"));
  await chmod(join(inside, "deps"), 0o700);
  const whole = archiveOf([
    { kind: "directory", path: "workspace/deps", mode: 0o755 },
    { path: "workspace/deps/a", bytes: "one" },
  ]);
  expect(await unpack(whole, files, ["deps"])).toBe(false);
  expect(readdirSync(join(inside, "deps"))).toEqual([]);
});
