/**
 * What the working tree has beside its last commit, copied once at the beginning: all jobs see the same files, whatever is
 * edited while they run.
 */
import { constants } from "node:fs";
import { copyFile, cp, lstat, mkdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gitPaths } from "./git.ts";
import type { LocalRepository } from "./repository.ts";

export interface Snapshot {
  /** Holds the copies, at their paths. */
  directory: string;
  /** New or changed. */
  files: readonly string[];
  /** Committed, but not there any more. */
  removed: readonly string[];
  /** Directories with a repository of their own, which are left out. */
  foreign: readonly string[];
}

/** `directory` is made. */
export async function takeSnapshot(repository: LocalRepository, directory: string): Promise<Snapshot> {
  await mkdir(directory, { recursive: true });
  if (!repository.isGit) {
    await copyTree(repository.root, directory);
    return { directory, files: ["."], removed: [], foreign: [] };
  }
  const paths = await differingPaths(repository);
  const foreign = paths.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  const files: string[] = [];
  const removed: string[] = [];
  for (const path of paths.filter((each) => !each.endsWith("/")))
    ((await copyEntry(repository.root, directory, path)) ? files : removed).push(path);
  return { directory, files, removed, foreign };
}

/** Makes the working tree's state of what `target` has as committed. */
export async function applySnapshot({ directory, files, removed }: Snapshot, target: string): Promise<void> {
  for (const path of removed) await rm(join(target, path), { recursive: true, force: true });
  if (files.includes(".")) return copyTree(directory, target);
  for (const path of files) await copyEntry(directory, target, path);
}

/** Tracked files that differ from the last commit, and files that are neither tracked nor ignored. */
async function differingPaths({ root, head }: LocalRepository): Promise<string[]> {
  const others = gitPaths(root, ["ls-files", "--others", "--exclude-standard", "-z"]);
  const tracked =
    head === null
      ? gitPaths(root, ["ls-files", "--cached", "-z"])
      : gitPaths(root, [
          "diff",
          "--name-only",
          "--no-renames",
          "--no-ext-diff",
          "--ignore-submodules=all",
          "-z",
          "HEAD",
        ]);
  return [...new Set([...(await tracked), ...(await others)])];
}

/** One file or link; false when there is none. */
export async function copyEntry(from: string, to: string, path: string): Promise<boolean> {
  const [source, target] = [join(from, path), join(to, path)];
  const found = await lstat(source).catch(() => null);
  if (found === null || found.isDirectory()) return false;
  // First: a link that was committed in place of a directory would lead the removal elsewhere.
  await makeParents(to, path);
  await rm(target, { recursive: true, force: true });
  if (found.isSymbolicLink()) await symlink(await readlink(source), target);
  else if (found.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE);
  return true;
}

/** A file that was committed where a directory is now gives way to it. */
async function makeParents(to: string, path: string): Promise<void> {
  const parts = dirname(path).split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const parent = join(to, ...parts.slice(0, depth));
    const there = await lstat(parent).catch(() => null);
    if (there !== null && !there.isDirectory()) await rm(parent, { force: true });
  }
  await mkdir(join(to, dirname(path)), { recursive: true });
}

function copyTree(from: string, to: string): Promise<void> {
  const isOrdinary = async (source: string): Promise<boolean> => {
    const found = await lstat(source);
    return found.isFile() || found.isDirectory() || found.isSymbolicLink();
  };
  return cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: isOrdinary,
  });
}
