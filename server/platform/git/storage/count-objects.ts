/** Disk usage of a repository's objects. */
import type { RunGit } from "../processes/run-git.ts";

/**
 * Bytes of loose objects, packs and what Git takes for garbage among them, as disk usage to the kibibyte; not what the
 * repository borrows from another. Reads directories, never an object. Throws `GitError`.
 */
export async function countObjectBytes(runGit: RunGit, directory: string): Promise<number> {
  const { stdout } = await runGit({ directory, args: ["count-objects", "-v"], timeoutMs: 5 * 60_000 });
  const kib = stdout
    .toString("latin1")
    .split("\n")
    .map((line) => /^(?:size|size-pack|size-garbage): (\d+)$/.exec(line)?.[1])
    .reduce((sum, size) => sum + Number(size ?? 0), 0);
  return kib * 1024;
}
