/** What a few refs point to right now, for a push that is about to move them: from their files, since a Git process costs more. */
import { readFewRefs } from "./ref-files.ts";
import { readRefs } from "./refs.ts";
import type { RunGit } from "../processes/run-git.ts";

const few = 20;

/** As `readRefs`. The names are safe. */
export async function presentRefs(
  runGit: RunGit,
  directory: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = refs.length <= few ? await readFewRefs(directory, refs) : undefined;
  return found ?? readRefs(runGit, directory, refs);
}
