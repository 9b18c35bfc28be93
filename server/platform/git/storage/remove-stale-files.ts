/**
 * Removes what killed Git processes leave: temporary packs, quarantines, lock files. Nothing else removes them (`git gc` does,
 * which we do not run), and a lock that stays blocks every later write of what it guards.
 */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { tryWithFileLock } from "../../file-locks.ts";
import { objectLocksFile } from "./kept-locks.ts";

/** Removes locks on these refs and on the files of all refs that no process holds; returns how many. */
export type RemoveRefLocks = (refs: readonly string[]) => Promise<number>;

/** Nothing of ours should take as long; what is stopped meanwhile may, so it decides nothing alone. */
const lockAgeMs = 6 * 60 * 60 * 1000;
const temporaryAgeMs = 24 * 60 * 60 * 1000;

/** Removes files that are too old to be in use, or that no process holds; returns how many. */
export async function removeStaleFiles(directory: string, removeRefLocks: RemoveRefLocks): Promise<number> {
  let removed = 0;
  const removeOld = async (folder: string, isLeftover: (name: string) => boolean, ageMs: number) => {
    for (const name of await names(join(directory, folder)))
      if (isLeftover(name) && (await removeIfOlder(join(directory, folder, name), ageMs))) removed += 1;
  };
  const isLock = (name: string) => name.endsWith(".lock");
  await removeOld("objects", (name) => /^tmp_(objdir-|obj_)/.test(name), temporaryAgeMs);
  await removeOld("objects/pack", (name) => /^(\.tmp-|tmp_)/.test(name), temporaryAgeMs);
  for (const name of await names(join(directory, "objects")))
    if (/^[0-9a-f]{2}$/.test(name))
      await removeOld(`objects/${name}`, (file) => file.startsWith("tmp_obj_"), temporaryAgeMs);
  await tryWithFileLock(objectLocksFile(directory), async () => {
    for (const folder of ["objects/pack", "objects/info", "objects/info/commit-graphs"])
      await removeOld(folder, isLock, lockAgeMs);
  });
  return removed + (await removeRefLocks(await lockedRefs(directory)));
}

async function lockedRefs(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of await directoriesBelow(directory, "refs"))
    for (const name of await names(join(directory, folder)))
      if (name.endsWith(".lock")) found.push(`${folder}/${name.slice(0, -".lock".length)}`);
  return found;
}

async function removeIfOlder(path: string, ageMs: number): Promise<boolean> {
  const found = await stat(path).catch(ignoreAbsent);
  if (!found || Date.now() - found.mtimeMs < ageMs) return false;
  await rm(path, { recursive: true, force: true });
  return true;
}

async function directoriesBelow(directory: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(ignoreAbsent);
  const folders = (entries ?? []).filter((entry) => entry.isDirectory());
  const deeper = await Promise.all(
    folders.map(({ name }) => directoriesBelow(directory, `${folder}/${name}`)),
  );
  return [folder, ...deeper.flat()];
}

async function names(path: string): Promise<string[]> {
  return (await readdir(path).catch(ignoreAbsent)) ?? [];
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
