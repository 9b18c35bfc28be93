/** Limits to branches and tags, as secrets and environments have them. Pure. */
import { matchesGlobs } from "@forgeline/compiler/glob.ts";

export interface RefLimits {
  branches: readonly string[];
  tags: readonly string[];
}

/** `branch main and the tags v*, w*`; `this run is of branch dev`. */
export function refLimitText(
  { branches, tags }: RefLimits,
  run: { branch: string | null; tag: string | null },
): string {
  const kinds = [...namedText(["branch", "branches"], branches), ...namedText(["tag", "tags"], tags)];
  const own = run.tag === null ? `branch ${run.branch ?? "(none)"}` : `tag ${run.tag}`;
  return `is limited to ${kinds.join(" and ")}; this run is of ${own}`;
}

/** `branch main`, `the branches main, dev`; nothing where there are none. */
export function namedText([one, more]: readonly [string, string], names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [names.length === 1 ? `${one} ${names[0]}` : `the ${more} ${names.join(", ")}`];
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
