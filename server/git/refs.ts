/** Looks at refs, and repairs what a killed push left: unsynced directories and lock files. */
import { open, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { zeroId } from "./names.ts";
import type { RunGit } from "./run-git.ts";

/** What each ref points to (tags not peeled); all zeros for one that is not there. */
export async function readRefs(
  runGit: RunGit,
  directory: string,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map(refs.map((ref) => [ref, zeroId]));
  // Ref names hold no glob characters, so a name is a pattern for itself and what lies below it.
  for (let start = 0; start < refs.length; start += 500) {
    const args = ["for-each-ref", "--format=%(objectname) %(refname)", ...refs.slice(start, start + 500)];
    const { stdout } = await runGit({ directory, args });
    for (const line of stdout.toString("utf8").split("\n")) {
      const ref = line.slice(41);
      if (found.has(ref)) found.set(ref, line.slice(0, 40));
    }
  }
  return found;
}

/** Makes the names of these refs durable; what the hook does in a push that was not killed. */
export async function syncRefs(directory: string, refs: readonly string[]): Promise<void> {
  const directories = new Set([directory, join(directory, "objects"), join(directory, "objects/pack")]);
  for (const ref of refs) {
    for (let part = dirname(ref); part !== "."; part = dirname(part)) directories.add(join(directory, part));
  }
  for (const path of directories) {
    const handle = await open(path, "r").catch(ignoreAbsent);
    await handle?.sync();
    await handle?.close();
  }
}

/** Removes lock files of these refs that are older than `ageMs`; the count. */
export async function removeStaleLocks(
  directory: string,
  refs: readonly string[],
  ageMs: number,
): Promise<number> {
  let removed = 0;
  for (const name of ["HEAD", "packed-refs", ...refs]) {
    const path = join(directory, `${name}.lock`);
    const found = await stat(path).catch(ignoreAbsent);
    if (!found || Date.now() - found.mtimeMs < ageMs) continue;
    await unlink(path).catch(ignoreAbsent);
    removed += 1;
  }
  return removed;
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
