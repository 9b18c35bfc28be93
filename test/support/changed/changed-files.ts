/** What differs between the working tree and a commit: changed, added, removed, and what Git does not know yet. */
import { run } from "@forgeline/launcher/run.ts";

export interface Changes {
  /** The commit that is compared with, in words for the person who asked. */
  since: string;
  /** Paths from the checkout's root; removed ones too, and both paths of what was renamed. */
  files: string[];
}

/** Without `ref`: since this branch left the one that it goes to. Rejects where `ref` is no commit. */
export async function changedFiles(root: string, ref?: string): Promise<Changes> {
  const git = async (...args: string[]) => (await run("git", args, { cwd: root })).trim();
  const base = ref === undefined ? await leavingPoint(git) : { commit: ref, since: ref };
  const parts = [
    await git("diff", "--name-only", "--no-renames", "-z", base.commit, "--"),
    await git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
  const files = parts.flatMap((part) => part.split("\0")).filter((path) => path !== "");
  return { since: base.since, files: [...new Set(files)].toSorted() };
}

type Git = (...args: string[]) => Promise<string>;

/** Commits that are not landed yet count as changes; without any branch to land on, only what is not committed. */
async function leavingPoint(git: Git): Promise<{ commit: string; since: string }> {
  for (const branch of ["origin/main", "main@{upstream}"]) {
    const commit = await git("merge-base", "HEAD", branch).catch(() => undefined);
    if (commit !== undefined) return { commit, since: branch };
  }
  return { commit: "HEAD", since: "HEAD" };
}
