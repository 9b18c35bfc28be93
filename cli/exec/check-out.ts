/**
 * The workspace of a local job: a repository of its own at the last commit, as shallow as the file says, and over it what the
 * working tree has beside it. Nothing is shared with the developer's repository: a job may do with its copy what it likes.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CheckOut } from "@forgeline/runner/job/job-context.ts";
import { GitError } from "@forgeline/runner/workspace/git.ts";
import { git, gitPaths, type GitOptions } from "./git.ts";
import type { LocalRepository } from "./repository.ts";
import { applySnapshot, copyEntry, type Snapshot } from "./snapshot.ts";

type Checkout = Parameters<CheckOut>[0];

/** `snapshot`: null for the commit alone. */
export function localCheckOut(repository: LocalRepository, snapshot: Promise<Snapshot | null>): CheckOut {
  return async (checkout) => {
    const { directory, signal, onLine } = checkout;
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    if (repository.isGit) await checkOutCommit(repository, checkout);
    const changes = await snapshot;
    signal.throwIfAborted();
    if (changes !== null) {
      onLine(describeChanges(repository, changes));
      await applySnapshot(changes, directory);
      for (const path of changes.foreign) onLine(`Left out ${path}/: it is a repository of its own`);
    }
    if (repository.isGit) await addLargeFilesAndSubmodules(repository, checkout);
  };
}

async function checkOutCommit({ root, head, remoteUrl }: LocalRepository, checkout: Checkout): Promise<void> {
  const { directory, clone, signal, onLine } = checkout;
  const inJob = (args: readonly string[]) => git(directory, args, { signal });
  await inJob(["init", "--quiet", "--initial-branch=main", "."]);
  if (remoteUrl !== "") await inJob(["remote", "add", "origin", remoteUrl]);
  if (head === null) return onLine("Nothing is committed yet");
  const depth = clone.depth > 0 ? [`--depth=${clone.depth}`] : [];
  const branches = clone.depth > 0 ? [] : ["+refs/heads/*:refs/remotes/origin/*"];
  const tags = clone.tags ? "--tags" : "--no-tags";
  const what = [tags, ...depth, "--update-shallow", "--no-recurse-submodules", pathToFileURL(root).href];
  await inJob(["fetch", "--quiet", ...what, head.sha, ...branches]);
  // Filters of the developer's settings, such as those of Git LFS, are not those of a job.
  const plain = ["-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false"];
  await inJob([
    ...plain,
    "-c",
    "advice.detachedHead=false",
    "checkout",
    "--quiet",
    "--force",
    "--detach",
    head.sha,
  ]);
  onLine(`Checked out ${head.sha} of ${root}`);
}

function describeChanges({ isGit, root }: LocalRepository, { files, removed }: Snapshot): string {
  if (!isGit) return `Copied ${root}`;
  const count = files.length + removed.length;
  if (count === 0) return "The working tree has no changes";
  const changes =
    count === 1 ? "1 change of the working tree that is" : `${count} changes of the working tree that are`;
  return `Added ${changes} not committed`;
}

/** As they are in the working tree: there they have been fetched already. */
async function addLargeFilesAndSubmodules(repository: LocalRepository, checkout: Checkout): Promise<void> {
  const { clone, directory, signal } = checkout;
  if (clone.lfs) {
    const files = await gitPaths(repository.root, ["ls-files", "-z", ":(attr:filter=lfs)"], { signal });
    for (const path of files) await copyEntry(repository.root, directory, path);
  }
  if (clone.submodules !== undefined)
    await copySubmodules({ from: repository.root, to: directory }, clone.submodules === "recursive", {
      signal,
    });
}

async function copySubmodules(
  { from, to }: { from: string; to: string },
  deep: boolean,
  options: GitOptions,
): Promise<void> {
  const entries = await gitPaths(from, ["ls-files", "--stage", "-z"], options);
  const paths = entries
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.split("\t")[1] ?? "");
  for (const path of paths) {
    const source = join(from, path);
    const files = await filesOfSubmodule(source, path, options);
    for (const file of files) await copyEntry(source, join(to, path), file);
    if (deep) await copySubmodules({ from: source, to: join(to, path) }, deep, options);
  }
}

async function filesOfSubmodule(source: string, path: string, options: GitOptions): Promise<string[]> {
  const top = await git(source, ["rev-parse", "--show-prefix"], options).catch(() => null);
  // Without a repository of its own, Git answers for the one around it.
  if (top?.toString("utf8").trim() !== "")
    throw new GitError(
      `submodule ${path} is not checked out here: git submodule update --init ${path}`,
      null,
    );
  return gitPaths(source, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], options);
}
