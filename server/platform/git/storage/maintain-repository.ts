/**
 * Maintenance of one repository with Git's own means. The state of the repository decides how much is done: nothing; a
 * geometric repack, whose cost depends on what is new; or a full repack, which alone drops unreachable objects.
 */
import { syncDirectory } from "../../durable-files.ts";
import type { RunGit } from "../processes/run-git.ts";
import { removeStaleFiles, type RemoveRefLocks } from "./remove-stale-files.ts";
import { countObjects, type ObjectCounts } from "./object-counts.ts";

export type RepackKind = "none" | "geometric" | "everything";

export interface MaintenanceScope {
  /** The last repack of everything is long ago, and something has changed since. */
  everythingIsDue: boolean;
  /** Drop what no ref reaches now, instead of after two weeks. */
  prune: boolean;
}

export interface MaintenanceOutcome extends ObjectCounts {
  repack: RepackKind;
  leftoversRemoved: number;
}

const looseObjectsBearable = 200;
const packsBearable = 8;
const looseRefsBearable = 100;
const timeoutMs = 3 * 60 * 60 * 1000;
/**
 * What a push or a commit over REST has written and not yet named by a ref must stay, even when everything unreachable
 * is to go. Git renews the time of objects that it is asked to write again.
 */
const pruneAge = "10.minutes.ago";
const usualAge = "2.weeks.ago";

export function chooseRepack(counts: ObjectCounts, wish: MaintenanceScope): RepackKind {
  if (wish.prune || (wish.everythingIsDue && counts.packs + counts.looseObjects > 0)) return "everything";
  return counts.looseObjects > looseObjectsBearable || counts.packs > packsBearable ? "geometric" : "none";
}

/** May run twice. Throws `GitError`, or the signal's reason. */
export async function maintainRepository(
  runGit: RunGit,
  directory: string,
  wish: MaintenanceScope & { signal: AbortSignal; removeRefLocks: RemoveRefLocks },
): Promise<MaintenanceOutcome> {
  const git = (...args: string[]) =>
    runGit({ directory, args, timeoutMs, background: true, signal: wish.signal });
  const leftoversRemoved = await removeStaleFiles(directory, wish.removeRefLocks);
  const before = await countObjects(directory, looseRefsBearable + 1);
  if (before.looseRefs > looseRefsBearable) await packRefs(git, directory);
  const repack = chooseRepack(before, wish);
  const index = ["--write-midx", "--write-bitmap-index"];
  if (repack === "geometric") await git("repack", "-d", "--quiet", "--geometric=2", ...index);
  if (repack === "everything") {
    const age = wish.prune ? pruneAge : usualAge;
    await git("repack", "-d", "--quiet", "--cruft", `--cruft-expiration=${age}`, ...index);
    await git("prune", `--expire=${age}`);
  }
  if (repack !== "none") {
    await git("prune-packed", "--quiet");
    await git("commit-graph", "write", "--reachable", "--changed-paths", "--split", "--no-progress");
  }
  return { ...(await countObjects(directory, looseRefsBearable + 1)), repack, leftoversRemoved };
}

/** In two steps, with the new file on disk before the loose refs go: Git syncs the file, but not its name. */
async function packRefs(git: (...args: string[]) => Promise<unknown>, directory: string): Promise<void> {
  await git("pack-refs", "--all", "--no-prune");
  await syncDirectory(directory);
  await git("pack-refs", "--all");
}
