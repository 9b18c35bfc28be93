/**
 * Puts a cache into a job's container before anything of the job runs. The archive may come from a hostile job: nothing
 * outside of the paths that this job's own file names is written, nothing through a link of the archive, and no more than the limits.
 */
import type { FileHandle } from "node:fs/promises";
import type { CacheRoot } from "@forgeline/compiler/cache-path.ts";
import type { CacheLimits } from "@forgeline/schemas/caches/job-messages.ts";
import { createFileReader } from "../artifacts/file-reader.ts";
import type { ContainerFiles } from "../engine/container-files.ts";
import { CacheError } from "./cache-error.ts";
import { placeOfEntry, workspacePath, type CacheTree } from "./cache-tree.ts";
import { createEntryCount } from "./entry-count.ts";
import { withPadding } from "./pack-cache.ts";
import { readTar, readTarBy, type ReadEntry } from "./read-tar.ts";
import { encodeTarHeader, tarEnd, type WrittenEntry } from "./tar-header.ts";

export interface UnpackedCache {
  files: ContainerFiles;
  tree: CacheTree;
  limits: CacheLimits;
  signal: AbortSignal;
}

/** Throws `CacheError`; what stood in front of the mistake is in the container then. */
export async function unpackCache(archive: AsyncIterable<Buffer>, cache: UnpackedCache): Promise<void> {
  const parents = await missingParents(cache);
  let problem: { error: unknown } | undefined;
  async function* checked(): AsyncGenerator<Buffer> {
    try {
      yield* checkedArchive(archive, cache, parents);
    } catch (error) {
      problem = { error };
      // The daemon has an archive that ends well, and the mistake is told afterwards.
      yield tarEnd;
    }
  }
  const to = { signal: cache.signal, isWorkspace: isAllWorkspace(cache) };
  await cache.files.write(checked(), to).catch((error: unknown) => {
    // Where a file ends early the daemon sees it too; what was seen here says more.
    if (problem === undefined) throw error;
  });
  if (problem === undefined) return;
  throw readable(problem.error);
}

/**
 * As `unpackCache`, of an archive that lies in a file: its entries are checked first, and then `tar` reads it without this process.
 * false where that cannot be, with nothing written that `unpackCache` does not write. Throws `CacheError` before anything is written.
 */
export async function unpackFile(archive: FileHandle, cache: UnpackedCache): Promise<boolean> {
  const { files, signal } = cache;
  if (!files.unpack || !isAllWorkspace(cache)) return false;
  const directories = await missingParents(cache);
  let made = directories.length;
  try {
    for await (const { above, found, entry } of checkedEntries(readTarBy(createFileReader(archive)), cache)) {
      if (!isAsWritten(found, entry)) return false;
      directories.push(...above);
      if (above.length > 0) made = directories.length;
      // Where it has directories below that the archive does not name, it has to be the user's before.
      if (entry.kind === "directory") directories.push(`/${entry.path}`);
    }
  } catch (error) {
    throw readable(error);
  }
  async function* first(): AsyncGenerator<Buffer> {
    for (const directory of directories.slice(0, made))
      yield encodeTarHeader(newDirectory(directory), files.user);
    yield tarEnd;
  }
  if (made > 0) await files.write(first(), { signal, isWorkspace: true });
  return files.unpack(archive, signal);
}

/** Whether it can be restored by what stands in the archive: it then lies in the workspace. */
function isAsWritten({ path, target, mode }: ReadEntry, entry: WrittenEntry): boolean {
  return (
    path.replace(/\/$/, "") === entry.path &&
    (entry.target === "" || target === entry.target) &&
    mode === entry.mode
  );
}

function isAllWorkspace({ tree }: UnpackedCache): boolean {
  return tree.sources.every(({ root }) => root === "workspace");
}

/** Told to people as what a cache can have. */
function readable(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new CacheError(`it cannot be read: ${error.message}`, { cause: error });
}

async function* checkedArchive(
  archive: AsyncIterable<Buffer>,
  cache: UnpackedCache,
  parents: readonly string[],
): AsyncGenerator<Buffer> {
  const { files } = cache;
  for (const directory of parents) yield encodeTarHeader(newDirectory(directory), files.user);
  for await (const { found, entry, above } of checkedEntries(readTar(archive), cache)) {
    for (const directory of above) yield encodeTarHeader(newDirectory(directory), files.user);
    yield encodeTarHeader(entry, files.user);
    if (entry.kind === "file") yield* withPadding(found);
  }
  yield tarEnd;
}

interface CheckedEntry {
  found: ReadEntry;
  entry: WrittenEntry;
  /** Directories that have to be there before, outermost first. */
  above: readonly string[];
}

/** Throws `CacheError` for one that may not be restored. */
async function* checkedEntries(
  entries: AsyncIterable<ReadEntry>,
  cache: UnpackedCache,
): AsyncGenerator<CheckedEntry> {
  const { tree, limits } = cache;
  const count = createEntryCount(limits);
  const between = createBetween(cache);
  const links = new Set<string>();
  const written = new Set<string>();
  for await (const found of entries) {
    count.add(found);
    const place = placeOfEntry(found.path);
    if (place === null || place.path === "" || !tree.matches(place.root, place.path))
      throw new CacheError("it holds a path that is not among the paths of this job's cache");
    if (leadsThrough(found.path, links)) throw new CacheError("it holds a file below a link");
    const entry = restoredEntry(found, { tree, place, written });
    const above = between.above(place.root, place.path);
    if (entry.kind === "link") links.add(found.path);
    if (entry.kind === "file") written.add(found.path);
    if (entry.kind === "directory") between.know(place.root, place.path);
    yield { found, entry, above };
  }
}

/** Whether something above the path is a link of the archive. */
function leadsThrough(path: string, links: ReadonlySet<string>): boolean {
  if (links.size === 0) return false;
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
    if (links.has(path.slice(0, end))) return true;
  return false;
}

function restoredEntry(
  { kind, path: name, target, sizeBytes, mode, modifiedS }: ReadEntry,
  context: { tree: CacheTree; place: { root: CacheRoot; path: string }; written: ReadonlySet<string> },
): WrittenEntry {
  const { tree, place, written } = context;
  const path = inArchive(tree.absolute(place.root, place.path));
  const entry = { path, target: "", sizeBytes, mode: mode & 0o777, modifiedS };
  if (kind === "file" || kind === "directory") return { ...entry, kind };
  if (kind === "link") return { ...entry, kind, target };
  const earlier = kind === "hard_link" && written.has(target) ? placeOfEntry(target) : null;
  if (earlier === null)
    throw new CacheError(`it holds ${JSON.stringify(name)}, which is neither a file nor a link`);
  return { ...entry, kind: "hard_link", target: inArchive(tree.absolute(earlier.root, earlier.path)) };
}

/** Archives are put into the root directory of the container. */
function inArchive(absolute: string): string {
  return absolute.replace(/^\/+/, "");
}

function newDirectory(absolute: string): WrittenEntry {
  const modifiedS = Math.floor(Date.now() / 1000);
  return { kind: "directory", path: inArchive(absolute), target: "", sizeBytes: 0, mode: 0o755, modifiedS };
}

/**
 * Directories above the paths of the cache that are not there, outermost first: they are made for the user of the steps, since the
 * daemon would make them root's. Looked at beforehand, because the daemon answers nothing while it takes an archive. Throws
 * `CacheError` where the way leads through a link of the checkout.
 */
async function missingParents({ files, tree, signal }: UnpackedCache): Promise<string[]> {
  const known = new Set<string>();
  const absent: string[] = [];
  for (const { root, absolute } of tree.sources) {
    for (const directory of directoriesAbove(absolute)) {
      if (known.has(directory)) continue;
      known.add(directory);
      const found = await files.stat(directory, signal);
      const isLink = found === "link" && root === "workspace" && directory !== workspacePath;
      if (found === "file" || isLink) throw new CacheError(`${directory} is not a directory`);
      if (found === null) absent.push(directory);
    }
  }
  return absent;
}

function directoriesAbove(absolute: string): string[] {
  const directories: string[] = [];
  for (let end = absolute.indexOf("/", 1); end !== -1; end = absolute.indexOf("/", end + 1))
    directories.push(absolute.slice(0, end));
  return directories;
}

/**
 * Of a pattern such as `packages/*\/node_modules` the directories in between, the first time that one is needed; what stands in
 * the place of one, such as a link of the checkout, gives way.
 */
function createBetween({ tree }: UnpackedCache) {
  const known = new Set<string>(
    tree.sources.flatMap(({ path, absolute }) => [
      ...(path === "" ? [absolute] : []),
      ...directoriesAbove(absolute),
    ]),
  );
  return {
    know: (root: CacheRoot, path: string) => void known.add(tree.absolute(root, path)),
    above(root: CacheRoot, path: string): string[] {
      const above = directoriesAbove(tree.absolute(root, path)).filter((directory) => !known.has(directory));
      for (const directory of above) known.add(directory);
      // Those of the system belong to others.
      return root === "system" ? [] : above;
    },
  };
}
