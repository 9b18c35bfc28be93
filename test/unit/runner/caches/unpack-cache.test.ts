/** Archives that a hostile job has saved: what is put into the container of another job, and what is refused. */
import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { CacheLimits } from "@forgeline/schemas/caches/job-messages.ts";
import { cacheTree } from "@forgeline/runner/caches/cache-tree.ts";
import { decompressed } from "@forgeline/runner/caches/compression.ts";
import { packCache } from "@forgeline/runner/caches/pack-cache.ts";
import { readTar } from "@forgeline/runner/caches/read-tar.ts";
import {
  encodeTarHeader,
  paddingOf,
  tarEnd,
  type WrittenEntry,
} from "@forgeline/runner/caches/tar-header.ts";
import { unpackCache } from "@forgeline/runner/caches/unpack-cache.ts";
import type { ContainerFiles } from "@forgeline/runner/engine/container-files.ts";

const { signal } = new AbortController();
const user = { uid: 1000, gid: 100, home: "/home/me" };

type Entry = Partial<WrittenEntry> & { path: string; bytes?: string };

function archiveOf(entries: readonly Entry[]): Buffer {
  const pieces = entries.flatMap(({ bytes = "", ...entry }) => {
    const whole = { kind: "file", target: "", mode: 0o644, modifiedS: 1, ...entry } as WrittenEntry;
    const content = Buffer.from(bytes);
    const sizeBytes = entry.sizeBytes ?? content.length;
    return [
      encodeTarHeader({ ...whole, sizeBytes }, { uid: 0, gid: 0 }),
      content,
      Buffer.alloc(paddingOf(sizeBytes)),
    ];
  });
  return Buffer.concat([...pieces, tarEnd]);
}

async function* inPieces(bytes: Buffer, size = 700): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What the daemon is given, as `kind path[ -> target]=bytes`. */
async function unpacked(
  archive: AsyncIterable<Buffer>,
  {
    paths = ["deps", "~/.npm"],
    limits = { bytes: 10_000, entries: 100 },
    there = {},
  }: {
    paths?: string[];
    limits?: CacheLimits;
    there?: Record<string, "link" | "directory">;
  } = {},
): Promise<string[]> {
  const written: string[] = [];
  const files: ContainerFiles = {
    user,
    stat: (path) => Promise.resolve(there[path] ?? null),
    read: () => inPieces(Buffer.alloc(0)),
    async write(given) {
      for await (const entry of readTar(given)) {
        const content: Buffer[] = [];
        for await (const piece of entry.pieces()) content.push(piece);
        const target = entry.target === "" ? "" : ` -> ${entry.target}`;
        written.push(`${entry.kind} ${entry.path}${target}=${Buffer.concat(content).toString()}`);
      }
    },
  };
  await unpackCache(archive, { files, tree: cacheTree(paths, user.home), limits, signal });
  return written;
}

test("files get their places in this container, and missing directories above them", async () => {
  const archive = archiveOf([
    { kind: "directory", path: "workspace/deps" },
    { path: "workspace/deps/a", bytes: "one" },
    { kind: "link", path: "workspace/deps/l", target: "/etc/passwd" },
    { kind: "hard_link", path: "workspace/deps/h", target: "workspace/deps/a" },
    { path: `home/.npm/${"long/".repeat(60)}b`, bytes: "two" },
  ]);
  expect(
    await unpacked(inPieces(archive), { there: { "/workspace": "directory", "/home": "directory" } }),
  ).toEqual([
    "directory home/me/=",
    "directory workspace/deps/=",
    "file workspace/deps/a=one",
    "link workspace/deps/l -> /etc/passwd=",
    "hard_link workspace/deps/h -> workspace/deps/a=",
    "directory home/me/.npm/=",
    ...Array.from({ length: 60 }, (_, i) => `directory home/me/.npm/${"long/".repeat(i + 1)}=`),
    `file home/me/.npm/${"long/".repeat(60)}b=two`,
  ]);
});

test.each<[what: string, entries: Entry[], message: string]>([
  ["a path of another cache", [{ path: "workspace/src/a" }], "not among the paths"],
  ["a path that climbs", [{ path: "workspace/deps/../../etc/passwd" }], "not among the paths"],
  ["an absolute path", [{ path: "/etc/passwd" }], "not among the paths"],
  ["another root", [{ path: "root/deps" }], "not among the paths"],
  ["the system", [{ path: "system/etc/passwd" }], "not among the paths"],
  ["an empty part", [{ path: "workspace//deps" }], "not among the paths"],
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
  [
    "a second name of a link",
    [
      { kind: "link", path: "workspace/deps/l", target: "/etc" },
      { kind: "hard_link", path: "workspace/deps/h", target: "workspace/deps/l" },
    ],
    "neither a file nor a link",
  ],
  ["more bytes than allowed", [{ path: "workspace/deps/a", sizeBytes: 10_001 }], "more than 10000 bytes"],
  ["a path that is too long", [{ path: `workspace/deps/${"x".repeat(5_000)}` }], "more than 4096 bytes"],
  [
    "too many files",
    Array.from({ length: 101 }, (_, i) => ({ path: `workspace/deps/${i}` })),
    "more than 100 files",
  ],
])("%s is refused", async (_, entries, message) => {
  await expect(unpacked(inPieces(archiveOf(entries)))).rejects.toThrow(message);
});

test("devices and pipes are refused", async () => {
  const archive = archiveOf([{ path: "workspace/deps/a" }]);
  for (const type of ["3", "4", "6"]) {
    const changed = Buffer.from(archive);
    const sum =
      Number.parseInt(changed.toString("latin1", 148, 154), 8) + type.charCodeAt(0) - "0".charCodeAt(0);
    changed.write(type, 156, "latin1");
    changed.write(sum.toString(8).padStart(6, "0"), 148, "latin1");
    await expect(unpacked(inPieces(changed))).rejects.toThrow("neither a file nor a link");
  }
});

test("a bomb ends at the limit: in files, behind the end of the archive, and in texts before an entry", async () => {
  const many = Buffer.concat(
    Array.from({ length: 200 }, (_, i) =>
      archiveOf([{ path: `workspace/deps/${i}`, bytes: "x".repeat(1000) }]).subarray(0, -1024),
    ),
  );
  await expect(unpacked(inPieces(many))).rejects.toThrow("the limit");
  const zeros = zstdCompressSync(Buffer.concat([archiveOf([]), Buffer.alloc(64 * 1024 * 1024)]));
  expect(zeros.length).toBeLessThan(100_000);
  await expect(unpacked(decompressed(inPieces(zeros)))).rejects.toThrow("more follows its end");
  const text = encodeTarHeader(
    { kind: "file", path: "x", target: "", sizeBytes: 100_000_000, mode: 0, modifiedS: 0 },
    { uid: 0, gid: 0 },
  );
  text.write("x", 156, "latin1");
  const sum = Number.parseInt(text.toString("latin1", 148, 154), 8) + "x".charCodeAt(0) - "0".charCodeAt(0);
  text.write(sum.toString(8).padStart(6, "0"), 148, "latin1");
  await expect(unpacked(inPieces(text))).rejects.toThrow("extended header is too long");
  text.write("00000000000\0", 124, "latin1");
  text.fill(" ", 148, 156);
  const again = text.reduce((total, byte) => total + byte, 0);
  text.write(`${again.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  async function* endless() {
    for (;;) yield text;
  }
  await expect(unpacked(endless())).rejects.toThrow("too many extended headers");
});

test("what is damaged is told, at whatever byte", async () => {
  const archive = archiveOf([{ path: "workspace/deps/a", bytes: "x".repeat(2_000) }]);
  for (const length of [1, 511, 600, 1_500, archive.length - 1_100])
    await expect(unpacked(inPieces(archive.subarray(0, length)))).rejects.toThrow("cannot be read");
  const stored = zstdCompressSync(archive);
  await expect(unpacked(decompressed(inPieces(stored.subarray(0, stored.length / 2))))).rejects.toThrow(
    "cannot be read",
  );
  await expect(unpacked(decompressed(inPieces(Buffer.from("no archive"))))).rejects.toThrow("cannot be read");
});

test("nothing is put through a link of the checkout", async () => {
  const archive = archiveOf([{ path: "workspace/a/deps/x" }]);
  const there = { "/workspace": "directory", "/workspace/a": "link" } as const;
  await expect(unpacked(inPieces(archive), { paths: ["a/deps"], there })).rejects.toThrow(
    "/workspace/a is not a directory",
  );
});

test("what a container gives becomes a cache: only its paths, without special files and bits", async () => {
  const given = archiveOf([
    { kind: "directory", path: "deps" },
    { path: "deps/a", bytes: "one", mode: 0o4755 },
    { path: "deps/skip.log", bytes: "no" },
    { kind: "hard_link", path: "deps/h", target: "deps/a" },
    { kind: "hard_link", path: "deps/none", target: "deps/skip.log" },
    { kind: "link", path: "deps/l", target: "a" },
    { path: "elsewhere", bytes: "no" },
  ]);
  const files: ContainerFiles = {
    user,
    stat: (path) => Promise.resolve(path === "/workspace/deps" ? "directory" : null),
    read: () => inPieces(given),
    write: () => Promise.resolve(),
  };
  const tree = cacheTree(["deps", "gone", "!**/*.log"], user.home);
  const leftOut: string[] = [];
  const entries: string[] = [];
  const limits = { bytes: 100, entries: 100 };
  for await (const { kind, path, mode } of readTar(packCache({ files, tree, limits, signal, leftOut })))
    entries.push(`${kind} ${path} ${mode.toString(8)}`);
  expect(entries).toEqual([
    "directory workspace/deps/ 644",
    "file workspace/deps/a 755",
    "hard_link workspace/deps/h 644",
    "link workspace/deps/l 644",
  ]);
  expect(leftOut).toEqual(["deps/none"]);
  const small = packCache({ files, tree, limits: { bytes: 2, entries: 100 }, signal, leftOut });
  await expect(readAll(small)).rejects.toThrow("more than 2 bytes");
  const absent = packCache({ files, tree: cacheTree(["gone"], "/"), limits, signal, leftOut });
  await expect(readAll(absent)).rejects.toThrow("no file matches");
});

async function readAll(pieces: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const piece of pieces) size += piece.length;
  return size;
}
