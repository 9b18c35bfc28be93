/**
 * Lock files that a killed Git left. Git never removes them, and each blocks whatever it guards forever. A lock is left when none is
 * there any more of those who may have held it when it was first seen. Its age, which is a matter of clocks, decides nothing:
 * it only spares us to look after each lock that will be gone in a moment.
 */
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { tryWithFileLock } from "../../file-locks.ts";
import { refLocksFile } from "./kept-locks.ts";

/** Of the parts of a repository that pushes lock in addition to their refs. */
const common = ["HEAD", "packed-refs", "shallow"];

export interface LockSearch {
  directory: string;
  refs: readonly string[];
  /** Younger ones are let be. */
  ageMs: number;
}

/** Whoever may move refs in the repository now, by an id, with the refs that it may move. */
export type Holders = ReadonlyMap<string, readonly string[]>;

export interface StaleLocks {
  /**
   * Removes those of these locks that are left over; how many, and how many locks there are yet. `holders` is asked after the
   * locks were seen, and must name everybody who has a lock then, but for those who keep the file `ref-locks` locked.
   */
  remove(search: LockSearch, holders: () => Promise<Holders>): Promise<{ removed: number; left: number }>;
}

/** Whether some of these refs have a lock of that age, whoever holds it. */
export async function hasOldLocks(search: LockSearch): Promise<boolean> {
  return (await locks(search)).some(isOld(search));
}

export function createStaleLocks(): StaleLocks {
  /** By path: what was seen there, and who of those that may have held it then was there at each look since. */
  const suspects = new Map<string, { identity: string; ids: readonly string[] }>();

  function mayBeHeld({ path, name, identity }: Lock, holders: Holders): boolean {
    const able = [...holders].filter(([, refs]) => common.includes(name) || refs.includes(name));
    const before = suspects.get(path);
    // A process that started later than the lock was made does not hold it.
    const isSuspect = (id: string) => before?.identity !== identity || before.ids.includes(id);
    const ids = able.map(([id]) => id).filter(isSuspect);
    // To have forgotten one only means to look at it for longer.
    if (suspects.size > 10_000) suspects.clear();
    if (ids.length > 0) suspects.set(path, { identity, ids });
    else suspects.delete(path);
    return ids.length > 0;
  }

  return {
    async remove(search, holders) {
      const seen = await locks(search);
      if (!seen.some(isOld(search))) return { removed: 0, left: seen.length };
      // Of two that had judged the same lock, the second would else remove one that was made in its place meanwhile.
      const removed = await tryWithFileLock(refLocksFile(search.directory), async () => {
        const found = (await locks(search)).filter(isOld(search));
        const named = await holders();
        const left = found.filter((lock) => !mayBeHeld(lock, named));
        // One whose holder had just ended may be another's by now, of whom nobody knew then. What is left over stays the same.
        const now = new Set((await locks(search)).map(({ identity }) => identity));
        const same = left.filter(({ identity }) => now.has(identity));
        await Promise.all(same.map(({ path }) => rm(path, { force: true })));
        return same.length;
      });
      return { removed: removed ?? 0, left: seen.length - (removed ?? 0) };
    },
  };
}

interface Lock {
  path: string;
  name: string;
  /** Of this lock, not of the next one of its name. */
  identity: string;
  mtimeMs: number;
}

async function locks({ directory, refs }: LockSearch): Promise<Lock[]> {
  const looks = [...common, ...refs].map(async (name) => {
    const path = join(directory, `${name}.lock`);
    const found = await stat(path).catch(ignoreAbsent);
    return found ? [{ path, name, identity: `${found.ino} ${found.ctimeMs}`, mtimeMs: found.mtimeMs }] : [];
  });
  return (await Promise.all(looks)).flat();
}

const isOld =
  ({ ageMs }: LockSearch) =>
  ({ mtimeMs }: Lock) =>
    // The file's time has parts of a millisecond, and ours has none.
    Date.now() - Math.floor(mtimeMs) >= ageMs;

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
