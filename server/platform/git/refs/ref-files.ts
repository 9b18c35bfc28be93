/**
 * Reads refs from their files, like Git, because a Git process would cost more than the answer. Names are text of one character
 * a byte (latin1), so that they compare as bytes do.
 */
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObjectId, isSafeRefName, zeroId } from "./names.ts";

export interface RefFile {
  name: string;
  oid: string;
  /** What an annotated tag leads to; null: it is none; undefined: the files do not tell. */
  peeled: string | null | undefined;
}

export interface RefFiles {
  /** Name of the branch that HEAD stands for. */
  head: string;
  /** By name. Those below `refs/internal/`, which only the server reads, are left out. */
  refs: RefFile[];
}

/** Larger ones are left to Git. */
const maxPackedBytes = 512 * 1024;
const maxLoose = 500;

/** The files are unusual, or too large. */
class Unusual extends Error {}

/** Undefined if only Git itself should read them. */
export async function readRefFiles(directory: string): Promise<RefFiles | undefined> {
  try {
    const head = headPattern.exec(await readFile(join(directory, "HEAD"), "latin1"))?.[1];
    if (!head || !isSafeRefName(head)) return undefined;
    const loose = { directory, seen: 0, refs: new Map<string, RefFile>() };
    await readLoose(loose, "refs");
    // Last, since a ref that is packed meanwhile has left its own file.
    const refs = await readPacked(directory);
    for (const [name, ref] of loose.refs) refs.set(name, ref);
    const sorted = [...refs.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { head, refs: sorted };
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

/** What each of these refs points to, all zeros for one that is not there; undefined if only Git itself should read them. */
export async function readFewRefs(
  directory: string,
  names: readonly string[],
): Promise<Map<string, string> | undefined> {
  try {
    const found = new Map<string, string>();
    for (const name of names) {
      const oid = await readOid(Buffer.from(join(directory, name)));
      if (oid) found.set(name, oid);
    }
    if (found.size === names.length) return found;
    const packed = await readPacked(directory);
    for (const name of names)
      if (!found.has(name)) found.set(name, packed.get(Buffer.from(name).toString("latin1"))?.oid ?? zeroId);
    return found;
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

const headPattern = /^ref: (refs\/heads\/[^\n]+)\n$/;
const isInternal = (name: string) => name === "refs/internal" || name.startsWith("refs/internal/");

interface LooseRefs {
  directory: string;
  /** Files, read or being read. */
  seen: number;
  refs: Map<string, RefFile>;
}

async function readLoose(loose: LooseRefs, name: string): Promise<void> {
  const path = Buffer.concat([Buffer.from(`${loose.directory}/`), Buffer.from(name, "latin1")]);
  const entries = await readdir(path, { withFileTypes: true, encoding: "latin1" }).catch(ignoreAbsent);
  await Promise.all(
    (entries ?? []).map(async (entry) => {
      const each = `${name}/${entry.name}`;
      if (isInternal(each) || entry.name.startsWith(".") || entry.name.endsWith(".lock")) return;
      if (entry.isDirectory()) return readLoose(loose, each);
      if (!entry.isFile() || !isSafeRefName(each) || ++loose.seen > maxLoose) throw new Unusual();
      const oid = await readOid(Buffer.concat([path, Buffer.from(`/${entry.name}`, "latin1")]));
      if (oid) loose.refs.set(each, { name: each, oid, peeled: peeledBranch(each) });
    }),
  );
}

async function readOid(path: Buffer): Promise<string | undefined> {
  const text = await readFile(path, "latin1").catch(ignoreAbsent);
  if (text === undefined) return undefined;
  if (!/^[0-9a-f]{40}\n$/.test(text)) throw new Unusual();
  return text.slice(0, 40);
}

/** Git lets nothing but commits be branches. */
function peeledBranch(name: string): null | undefined {
  return name.startsWith("refs/heads/") ? null : undefined;
}

async function readPacked(directory: string): Promise<Map<string, RefFile>> {
  const refs = new Map<string, RefFile>();
  const text = await readSmall(join(directory, "packed-refs"));
  if (text === undefined) return refs;
  const lines = text.split("\n");
  const isFullyPeeled = lines[0]!.startsWith("# pack-refs with:") && lines[0]!.includes(" fully-peeled ");
  let last: RefFile | undefined;
  for (const line of lines) {
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("^") && isObjectId(line.slice(1))) {
      if (last) last.peeled = line.slice(1);
      continue;
    }
    const [oid, name] = [line.slice(0, 40), line.slice(41)];
    if (!isObjectId(oid) || line[40] !== " " || !isSafeRefName(name)) throw new Unusual();
    last = isInternal(name) ? undefined : { name, oid, peeled: isFullyPeeled ? null : peeledBranch(name) };
    if (last) refs.set(name, last);
  }
  return refs;
}

async function readSmall(path: string): Promise<string | undefined> {
  const file = await open(path, "r").catch(ignoreAbsent);
  if (!file) return undefined;
  try {
    if ((await file.stat()).size > maxPackedBytes) throw new Unusual();
    return await file.readFile("latin1");
  } finally {
    await file.close();
  }
}

/** A directory is none of a ref's files either: other refs are below it. */
function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR" && error.code !== "EISDIR") throw error;
}
