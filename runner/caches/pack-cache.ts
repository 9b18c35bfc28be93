/**
 * The files of a cache as one tar archive, out of the archives that the container gives. Its files are as hostile as the job:
 * what is written has only the kinds and permissions that a cache can have.
 */
import type { FileHandle } from "node:fs/promises";
import type { CacheLimits } from "@forgeline/schemas/caches/job-messages.ts";
import type { ContainerFiles } from "../engine/container-files.ts";
import { CacheError } from "./cache-error.ts";
import { createFileReader } from "../artifacts/file-reader.ts";
import { entryName, placeOfEntry, type CacheSource, type CacheTree } from "./cache-tree.ts";
import { createEntryCount, type EntryCount } from "./entry-count.ts";
import { readTar, readTarBy, type ReadEntry } from "./read-tar.ts";
import { encodeTarHeader, paddingOf, tarEnd, type WrittenEntry } from "./tar-header.ts";

/** Of entries in the archive; who restores it becomes their owner. */
const nobody = { uid: 0, gid: 0 };

export interface PackedCache {
  files: ContainerFiles;
  tree: CacheTree;
  limits: CacheLimits;
  signal: AbortSignal;
  /** Names of what was left out, at most a few. */
  leftOut: string[];
}

/** Throws `CacheError`, also where there is nothing to save. Pieces stay as they are. */
export async function* packCache(cache: PackedCache): AsyncGenerator<Buffer> {
  const count = createEntryCount(cache.limits);
  for (const source of cache.tree.sources) {
    if ((await cache.files.stat(source.absolute, cache.signal)) === null) continue;
    yield* packSource(cache, source, count);
  }
  if (count.entries === 0) throw new CacheError("no file matches its paths");
  yield tarEnd;
}

/**
 * As `packCache`, into a file that is empty, without the bytes passing through this process; its entries are looked at afterwards. false
 * where that does not give what `packCache` does, whatever is in the file then. Throws `CacheError`. `full`: aborted where there is no more room.
 */
export async function packIntoFile(
  cache: PackedCache,
  file: FileHandle,
  full: AbortSignal,
): Promise<boolean> {
  const { files, tree, signal } = cache;
  const [source] = tree.sources;
  if (!files.pack || !source || tree.sources.length > 1 || source.root !== "workspace") return false;
  if ((await files.stat(source.absolute, signal)) === null) return false;
  const into = { name: entryName(source.root, source.path), file };
  const isPacked = await files.pack(source.absolute, into, AbortSignal.any([signal, full]));
  signal.throwIfAborted();
  return isPacked && isAsPacked(cache, source, readTarBy(createFileReader(file)));
}

/** Whether `packCache` would write these entries as they are. */
async function isAsPacked(
  { tree, limits }: PackedCache,
  { root }: CacheSource,
  entries: AsyncIterable<ReadEntry>,
): Promise<boolean> {
  const count = createEntryCount(limits);
  const seen = new Set<string>();
  for await (const found of entries) {
    const place = placeOfEntry(found.path);
    if (place === null || place.root !== root || place.path === "" || !tree.matches(root, place.path))
      return false;
    const entry = writtenEntry(found, found.path, (target) => (seen.has(target) ? target : null));
    if (entry === null || entry.mode !== found.mode) return false;
    if (entry.kind === "file") seen.add(found.path);
    count.add(entry);
  }
  return count.entries > 0;
}

async function* packSource(
  { files, tree, signal, leftOut }: PackedCache,
  source: CacheSource,
  count: EntryCount,
): AsyncGenerator<Buffer> {
  const seen = new Set<string>();
  // Names in the container's archive begin with the last part of the path.
  const first = source.absolute.slice(source.absolute.lastIndexOf("/") + 1);
  const inRoot = (name: string): string | null => {
    const path = name.replace(/\/$/, "");
    if (path === first) return source.path;
    if (!path.startsWith(`${first}/`)) return null;
    const rest = path.slice(first.length + 1);
    return source.path === "" ? rest : `${source.path}/${rest}`;
  };
  for await (const found of readTar(files.read(source.absolute, signal))) {
    const path = inRoot(found.path);
    if (path === null || path === "" || !tree.matches(source.root, path)) continue;
    const entry = writtenEntry(found, entryName(source.root, path), (target) => {
      const earlier = inRoot(target);
      return earlier !== null && seen.has(earlier) ? entryName(source.root, earlier) : null;
    });
    if (entry === null) {
      if (leftOut.length < 5) leftOut.push(path);
      continue;
    }
    if (entry.kind === "file") seen.add(path);
    count.add(entry);
    yield encodeTarHeader(entry, nobody);
    if (entry.kind === "file") yield* withPadding(found);
  }
}

/** null for what no cache holds: devices, pipes, and second names of files that are no part of it. */
function writtenEntry(
  { kind, target, sizeBytes, mode, modifiedS }: ReadEntry,
  path: string,
  earlier: (target: string) => string | null,
): WrittenEntry | null {
  const entry = { path, target: "", sizeBytes, mode: mode & 0o777, modifiedS };
  if (kind === "file" || kind === "directory") return { ...entry, kind };
  if (kind === "link") return { ...entry, kind, target };
  const name = kind === "hard_link" ? earlier(target) : null;
  return name === null ? null : { ...entry, kind: "hard_link", target: name };
}

/** The bytes of an entry as they stand in an archive. */
export async function* withPadding(entry: ReadEntry): AsyncGenerator<Buffer> {
  yield* entry.pieces();
  if (paddingOf(entry.sizeBytes) > 0) yield Buffer.alloc(paddingOf(entry.sizeBytes));
}
