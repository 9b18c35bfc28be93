/** Limits to branches and tags, as secrets and environments have them. Pure. */
import { matchesGlobs } from "@forgeline/compiler/glob.ts";

export interface RefLimits {
  branches: readonly string[];
  tags: readonly string[];
}

/** What is limited to branches is not for tags, unless it names tags too; and the other way round. Empty lists limit nothing. */
export function isRefAmong(
  { branches, tags }: RefLimits,
  { branch, tag }: { branch: string | null; tag: string | null },
): boolean {
  if (branches.length === 0 && tags.length === 0) return true;
  return (
    (branch !== null && branches.length > 0 && matchesGlobs(branches, branch)) ||
    (tag !== null && tags.length > 0 && matchesGlobs(tags, tag))
  );
}
