/**
 * What the target branch would become if a branch were merged now: a commit that no branch has, for whoever wants to try it. The same
 * two commits make the same one, so making it again writes nothing.
 */
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../../durable-files.ts";
import { quarantineEnvironment } from "../objects/received-objects.ts";
import type { CommitInfo } from "../objects/commit.ts";
import type { Git } from "../processes/run-git.ts";
import { mergeCommits, type Merged } from "./merge-commits.ts";

export interface BranchTips {
  /** Full ids of commits of the repository. */
  target: string;
  head: string;
  /** Of the new commit: the same for the same two. */
  date: Date;
}

/** The later of both commits, so that the same two make the same commit at any time. */
export function resultDate(commits: readonly (CommitInfo | undefined)[]): Date {
  return new Date(Math.max(...commits.map((commit) => Date.parse(commit?.committer.date ?? "1970-01-01"))));
}

const nobody = { name: "Forgeline", email: "noreply@invalid" };

/** Durable once resolved. May be repeated. Throws `GitError`, and the signal's reason. */
export async function makeMergedResult(
  { run }: Pick<Git, "run">,
  { directory, signal }: { directory: string; signal: AbortSignal },
  { target, head, date }: BranchTips,
): Promise<Merged> {
  const made = await mkdtemp(join(directory, "objects", "tmp_objdir-merge-"));
  try {
    const env = quarantineEnvironment({ directory, quarantine: made });
    const message = `Merge ${head} into ${target}\n`;
    const sides = { ours: target, theirs: head };
    const merged = await mergeCommits(
      run,
      { directory, env, signal },
      { ...sides, message, author: nobody, date },
    );
    if ("commit" in merged) await moveLoose(made, directory);
    return merged;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** The files are synced. Not as a pack: a push to a busy target makes hundreds of such results, of a few objects each. */
async function moveLoose(from: string, directory: string): Promise<void> {
  const objects = join(directory, "objects");
  const prefixes = (await readdir(from)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  await Promise.all(
    prefixes.map(async (prefix) => {
      const to = join(objects, prefix);
      await mkdir(to, { recursive: true });
      for (const name of await readdir(join(from, prefix)))
        if (/^[0-9a-f]{38}$/.test(name)) await rename(join(from, prefix, name), join(to, name));
      await syncDirectory(to);
    }),
  );
  await syncDirectory(objects);
}
