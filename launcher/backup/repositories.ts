/**
 * Bare repositories as they are while people push and Git repacks. First the refs, at one moment; then the objects, of which
 * there are then all that the refs need, since a push writes its objects before it moves a ref.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Entry } from "./entry.ts";
import type { BackupWriter } from "./writer.ts";

/** How many there are. */
export async function backUpRepositories(root: string, writer: BackupWriter): Promise<number> {
  let count = 0;
  for (const shard of await namesIn(root))
    for (const name of await namesIn(join(root, shard)))
      if (
        name.endsWith(".git") &&
        (await backUpRepository(join(root, shard, name), `repositories/${shard}/${name}`, writer))
      )
        count += 1;
  return count;
}

/** False when it was removed meanwhile: then nothing of it is kept. */
async function backUpRepository(directory: string, path: string, writer: BackupWriter): Promise<boolean> {
  const small = await readSmallFiles(directory);
  const entries: Entry[] = [];
  for (const part of ["", "/refs/heads", "/refs/tags", "/objects/info", "/objects/pack"])
    entries.push(await writer.directory(`${path}${part}`, 0o700));
  for (const [name, bytes] of small) entries.push(await writer.write(`${path}/${name}`, bytes, 0o600));
  entries.push(...(await copyObjects(directory, path, writer)));
  const whole = small.has("config") && (await namesIn(directory)).includes("config");
  if (whole) await writer.add(entries);
  else await writer.drop(path);
  return whole;
}

const triesOfRefs = 50;

/** Refs and what else is small: read until two readings agree, so that no push lies between two refs. */
async function readSmallFiles(directory: string): Promise<Map<string, Buffer>> {
  let before = await readOnce(directory);
  for (let tries = 0; tries < triesOfRefs; tries++) {
    const now = await readOnce(directory);
    if (isSame(before, now)) return now;
    before = now;
    await sleep(20);
  }
  return before;
}

/** `packed-refs` last: a ref that is packed meanwhile leaves its own file only after it is in there. */
async function readOnce(directory: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const read = async (name: string) => {
    const bytes = await readFile(join(directory, name)).catch(ignoreAbsent);
    if (bytes) found.set(name, bytes);
  };
  for (const name of ["config", "HEAD", ...(await filesBelow(directory, "refs")), "packed-refs"])
    await read(name);
  return found;
}

function isSame(a: ReadonlyMap<string, Buffer>, b: ReadonlyMap<string, Buffer>): boolean {
  return a.size === b.size && Array.from(a).every(([name, bytes]) => b.get(name)?.equals(bytes) === true);
}

async function filesBelow(root: string, below: string): Promise<string[]> {
  const found: string[] = [];
  for (const item of (await readdir(join(root, below), { withFileTypes: true }).catch(ignoreAbsent)) ?? []) {
    const path = `${below}/${item.name}`;
    if (item.isDirectory()) found.push(...(await filesBelow(root, path)));
    else if (!item.name.endsWith(".lock")) found.push(path);
  }
  return found.toSorted();
}

/**
 * A repack puts what it packs under another name before it takes the old one away. So a listing that has lost none of the
 * files of the one before, and has gained no pack, was not in the middle of one.
 */
async function copyObjects(directory: string, path: string, writer: BackupWriter): Promise<Entry[]> {
  const copied = new Map<string, Entry>();
  let before: readonly string[] | undefined;
  for (;;) {
    const now = await listObjects(directory);
    if (before && isQuiet(before, now)) return [...copied.values()];
    for (const name of now) {
      if (copied.has(name)) continue;
      const entry = await writer.copyLasting(join(directory, name), `${path}/${name}`);
      if (entry) copied.set(name, entry);
    }
    before = now;
  }
}

function isQuiet(before: readonly string[], now: readonly string[]): boolean {
  const had = new Set(before);
  const has = new Set(now);
  return (
    before.every((name) => has.has(name)) && now.every((name) => had.has(name) || !name.endsWith(".idx"))
  );
}

/** Loose ones first, packs last: what is packed in between is seen in its pack. What Git makes from them is left out. */
async function listObjects(directory: string): Promise<string[]> {
  const found: string[] = [];
  const folders = (await namesIn(join(directory, "objects"))).filter((name) => /^[0-9a-f]{2}$/.test(name));
  for (const folder of folders)
    for (const name of await namesIn(join(directory, "objects", folder)))
      if (/^[0-9a-f]{38}$/.test(name)) found.push(`objects/${folder}/${name}`);
  for (const name of await namesIn(join(directory, "objects/pack")))
    if (/^pack-[0-9a-f]{40}\.(pack|idx|rev|bitmap|mtimes|keep)$/.test(name))
      found.push(`objects/pack/${name}`);
  return found;
}

async function namesIn(directory: string): Promise<string[]> {
  return ((await readdir(directory).catch(ignoreAbsent)) ?? []).toSorted();
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
