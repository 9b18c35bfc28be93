/** Finds the manifests of a commit, and reads those that are new or next to a changed one. */
import type { CatFilePool } from "../../../../platform/git/processes/cat-file.ts";
import { storableText } from "../../../../platform/storable-text.ts";
import type { FileStep } from "../../../../platform/git/history/tree-changes.ts";
import type { Dependency } from "./dependency.ts";
import { directoryOf, formatOf, type ManifestFormat } from "./formats.ts";
import { linkLocks } from "./link-locks.ts";
import { createManifestReader, type ManifestReader } from "./manifest-reader.ts";

/** An existing manifest, and the id of its content. */
export interface ManifestFile {
  path: string;
  oid: string;
}

export interface CollectedManifest extends ManifestFile {
  format: ManifestFormat;
  problem: string | null;
  dependencies: Dependency[];
}

export interface ManifestChanges {
  /** Paths of rows to delete. */
  gone: string[];
  read: CollectedManifest[];
}

const maxManifests = 1_000;
const maxBytes = 8 * 1024 * 1024;

/** Git has no such limit, but the path is part of a key of the database, which takes some 2,700 bytes in all. */
const maxPathBytes = 1_024;

export const isManifest = ({ path }: Pick<FileStep, "path">): boolean =>
  formatOf(path) !== undefined && Buffer.byteLength(path) <= maxPathBytes;

/** The ones nearest to the top directory, among all files of a commit. */
export function manifestsOf(files: readonly FileStep[]): ManifestFile[] {
  const depth = ({ path }: ManifestFile) => path.split("/").length;
  return files
    .filter(isManifest)
    .flatMap(({ path, after }) => (after === null ? [] : [{ path: storableText(path), oid: after }]))
    .sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1))
    .slice(0, maxManifests);
}

/** `known` are those with rows. Throws what reading an object throws, and the signal's reason. */
export async function collectManifests(
  objects: CatFilePool,
  directory: string,
  {
    present,
    known,
    signal,
  }: { present: readonly ManifestFile[]; known: readonly ManifestFile[]; signal: AbortSignal },
): Promise<ManifestChanges> {
  const before = groups(known);
  const now = groups(present);
  const changed = [...now].filter(([folder, files]) => !isSame(before.get(folder) ?? [], files));
  const folders = new Set(changed.map(([folder]) => folder));
  const gone = known
    .map(({ path }) => path)
    .filter((path) => folders.has(directoryOf(path)) || !now.has(directoryOf(path)));
  const reader = createManifestReader();
  try {
    const read: CollectedManifest[] = [];
    for (const [, files] of changed) {
      signal.throwIfAborted();
      read.push(...(await readFolder(objects, directory, { files, reader })));
    }
    return { gone, read };
  } finally {
    await reader.close();
  }
}

const groups = (files: readonly ManifestFile[]) => Map.groupBy(files, ({ path }) => directoryOf(path));

function isSame(one: readonly ManifestFile[], other: readonly ManifestFile[]): boolean {
  const names = (files: readonly ManifestFile[]) => files.map(({ path, oid }) => `${oid} ${path}`).sort();
  return JSON.stringify(names(one)) === JSON.stringify(names(other));
}

async function readFolder(
  objects: CatFilePool,
  directory: string,
  { files, reader }: { files: readonly ManifestFile[]; reader: ManifestReader },
): Promise<CollectedManifest[]> {
  const collected: CollectedManifest[] = [];
  for (const file of files) {
    const format = formatOf(file.path);
    if (!format) continue;
    const object = await objects.read(directory, file.oid, maxBytes);
    const content = object?.bytes
      ? await reader.read(format.format, object.bytes.toString("utf8"))
      : { dependencies: [], problem: "It is larger than 8 MiB." };
    collected.push({ ...file, format, ...content });
  }
  linkLocks(collected);
  return collected;
}
