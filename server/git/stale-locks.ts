/**
 * Lock files that a killed Git left. Git never removes them, and each blocks whatever it guards for ever. A lock is left when it
 * is old and no process that could hold it is alive.
 */
import { readdir, readFile, readlink, realpath, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Of the parts of a repository that pushes lock besides its refs. */
const common = ["HEAD", "packed-refs", "shallow"];

/** Whether some of these refs have a lock of that age, whoever holds it. */
export async function hasOldLocks(
  directory: string,
  refs: readonly string[],
  ageMs: number,
): Promise<boolean> {
  const found = await locks(directory, refs);
  return found.some((lock) => Date.now() - lock.mtimeMs >= ageMs);
}

/** Removes those of these refs that are left over; how many, and how many locks there are yet. */
export async function removeStaleLocks(
  directory: string,
  refs: readonly string[],
  ageMs: number,
): Promise<{ removed: number; left: number }> {
  const found = await locks(directory, refs);
  if (found.length === 0) return { removed: 0, left: 0 };
  const heldSinceMs = await oldestWriter(directory);
  let removed = 0;
  for (const { path, mtimeMs } of found) {
    // Whoever began after a lock was made does not hold it.
    if (Date.now() - mtimeMs < ageMs || heldSinceMs <= mtimeMs + clockErrorMs) continue;
    await unlink(path).catch(ignoreAbsent);
    removed += 1;
  }
  return { removed, left: found.length - removed };
}

const clockErrorMs = 100;

async function locks(directory: string, refs: readonly string[]) {
  const looks = [...common, ...refs].map(async (name) => {
    const path = join(directory, `${name}.lock`);
    const found = await stat(path).catch(ignoreAbsent);
    return found ? [{ path, mtimeMs: found.mtimeMs }] : [];
  });
  return (await Promise.all(looks)).flat();
}

/** Commands of ours that take locks. */
const writers = new Set(["receive-pack", "update-ref", "pack-refs", "fast-import", "symbolic-ref"]);

/**
 * When the oldest Git process began that works on the repository and may hold its locks; Infinity when there is none. It
 * sees the processes of this machine where there is `/proc`; elsewhere the age of a lock alone decides.
 */
async function oldestWriter(directory: string): Promise<number> {
  const real = await realpath(directory).catch(() => directory);
  const bootedMs = await bootTime();
  let oldest = Infinity;
  for (const pid of (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    if ((await readlink(`/proc/${pid}/cwd`).catch(() => "")) !== real) continue;
    const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (!words.some((word) => writers.has(word))) continue;
    const fields = (await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")).replace(/^.*\) /s, "");
    // The 22nd field, in hundredths of a second since the machine began.
    const ticks = Number(fields.split(" ")[19]);
    if (ticks > 0) oldest = Math.min(oldest, bootedMs + ticks * 10);
  }
  return oldest;
}

async function bootTime(): Promise<number> {
  const seconds = Number((await readFile("/proc/uptime", "utf8").catch(() => "0")).split(" ")[0]);
  return Date.now() - seconds * 1000;
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
