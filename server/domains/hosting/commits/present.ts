/** Commits as the REST interface shows them. */
import type { ChangedFile, Commit } from "@forgeline/schemas/commits/resource.ts";
import type { FileChange } from "../../../platform/git/history/changed-files.ts";
import type { CommitInfo, CommitPerson } from "../../../platform/git/objects/commit.ts";
import type { RepositoryAddress } from "../repositories/repository-address.ts";

export function presentCommit(
  commit: CommitInfo,
  usernames: ReadonlyMap<string, string>,
  address: RepositoryAddress,
): Commit {
  const person = (of: CommitPerson) => ({
    ...of,
    username: usernames.get(of.email.toLowerCase()) ?? null,
  });
  return {
    id: commit.sha,
    sha: commit.sha,
    message: commit.message,
    author: person(commit.author),
    committer: person(commit.committer),
    parents: commit.parents.map((sha) => ({ sha, url: address.api("commits", sha) })),
    // Signatures are not verified, so none is reported as valid.
    verified: false,
    url: address.api("commits", commit.sha),
    web_url: address.web("commit", commit.sha),
    created_at: commit.committer.date,
    updated_at: commit.committer.date,
  };
}

export function presentChange(change: FileChange): ChangedFile {
  const { lines = null, patch = null } = change.read ?? {};
  return {
    path: change.path,
    previous_path: change.previousPath,
    status: change.status,
    sha: change.oid,
    additions: lines?.additions ?? null,
    deletions: lines?.deletions ?? null,
    binary: change.read?.lines === null,
    patch,
  };
}
