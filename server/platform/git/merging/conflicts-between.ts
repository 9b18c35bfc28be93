/** Whether two commits could be merged, without merging them: nothing of it stays. */
import type { Git } from "../processes/run-git.ts";
import { placeIn, withCombinedObjects } from "./combined-objects.ts";
import { mergeTrees, type WantedMerge } from "./merge-commits.ts";

export interface ComparedPlaces {
  /** The bare repository with the first commit. */
  directory: string;
  /** The one with the second, which may be the same. */
  other: string;
  signal: AbortSignal;
}

/** The first paths that conflict, by name; none where nothing does. Throws `GitError`, and the signal's reason. */
export function conflictsBetween(
  git: Pick<Git, "run">,
  { directory, other, signal }: ComparedPlaces,
  commits: Pick<WantedMerge, "ours" | "theirs">,
): Promise<string[]> {
  return withCombinedObjects({ directory, other }, async (combined) => {
    const merged = await mergeTrees(git.run, placeIn(combined, signal), commits);
    return "conflicts" in merged ? merged.conflicts : [];
  });
}
