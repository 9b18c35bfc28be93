/** Commits as the REST interface shows them. */
import type { ChangedFile, Commit, FileDiff } from "@forgeline/schemas/commits/resource.ts";
import type { CommitVerification } from "@forgeline/schemas/commits/verification.ts";
import type { FileChange } from "../../../platform/git/history/changed-files.ts";
import { statusOf } from "../../../platform/git/history/listed-changes.ts";
import type { FileSide } from "../../../platform/git/history/tree-difference.ts";
import type { CommitInfo, CommitPerson } from "../../../platform/git/objects/commit.ts";
import type { RepositoryAddress } from "../repositories/repository-address.ts";
import type { ChangeWithFacts, ShownDiff } from "./compare-page.ts";

export function presentCommit(
  commit: CommitInfo,
  { usernames, verification }: { usernames: ReadonlyMap<string, string>; verification: CommitVerification },
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
    verified: verification.verified,
    verification,
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

export interface DiffAddresses {
  patch(path: string): string;
  /** Of a file in a commit; null where it has none. */
  raw(sha: string, path: string): string | null;
}

export function presentFileDiff(
  { change, facts }: ChangeWithFacts,
  diff: ShownDiff,
  place: { before: string | null; after: string; addresses: DiffAddresses },
): FileDiff {
  const { path, previousPath, before, after } = change;
  const raw = (side: FileSide | null, sha: string | null, at: string) =>
    side && sha !== null && side.kind !== "submodule" ? place.addresses.raw(sha, at) : null;
  return {
    path,
    previous_path: previousPath,
    status: statusOf(change),
    kind: (after ?? before)?.kind ?? "file",
    sha: after?.oid ?? null,
    previous_sha: before?.oid ?? null,
    mode: after?.mode ?? null,
    previous_mode: before?.mode ?? null,
    size: facts.sizeAfter,
    previous_size: facts.sizeBefore,
    lfs: facts.isLfs,
    generated: facts.isGenerated,
    ...diff,
    patch_url: place.addresses.patch(path),
    raw_url: raw(after, place.after, path),
    previous_raw_url: raw(before, place.before, previousPath ?? path),
  };
}
