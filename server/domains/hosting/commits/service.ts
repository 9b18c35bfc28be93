/** Commits of a repository: found by branch, tag or id, listed, and shown with their changes. */
import type { Commit, CommitWithFiles } from "@forgeline/schemas/commits/resource.ts";
import type { CommitQuery } from "@forgeline/schemas/commits/routes.ts";
import type { ChangeLimits } from "../../../platform/git/history/changed-files.ts";
import type { CommitInfo } from "../../../platform/git/objects/commit.ts";
import type { HistoryQuery } from "../../../platform/git/history/history.ts";
import type { RepositoryFiles, ResolvedRef } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { isTreePath } from "../../../platform/git/objects/tree.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";
import { presentChange, presentCommit } from "./present.ts";
import type { CommitVerifier } from "./verification.ts";

export interface CommitService {
  /**
   * A branch, tag, or full id of a commit that one of them or a merge request reaches; the default branch when nothing is named. Throws
   * `not_found`, also for hidden and deleted commits.
   */
  resolve(repository: RepositoryRef, ref: string | undefined): Promise<ResolvedRef>;
  /** As `resolve`, but undefined where the default branch is meant and there is none yet. */
  resolveIfBegun(repository: RepositoryRef, ref: string | undefined): Promise<ResolvedRef | undefined>;
  /** In the order of the ids; ids that are not commits are left out. */
  show(repository: RepositoryRef, shas: readonly string[]): Promise<Commit[]>;
  info(repository: RepositoryRef, sha: string): Promise<CommitInfo>;
  /** Newest first; none where the default branch is meant and there is none yet. Throws `not_found` for an unknown ref. */
  list(
    repository: RepositoryRef,
    query: CommitQuery,
    revalidate: Revalidate,
  ): Promise<{ commits: Commit[]; total: number }>;
  /** With what it changed against its first parent. Throws `not_found`. */
  get(repository: RepositoryRef, ref: string, revalidate: Revalidate): Promise<CommitWithFiles>;
}

export interface CommitServiceDeps {
  files: RepositoryFiles;
  history: RepositoryHistory;
  addresses: Addresses;
  commitVerifier: CommitVerifier;
  users: { usernamesByEmail(emails: readonly string[]): Promise<Map<string, string>> };
}

export const changeLimits: ChangeLimits = { files: 300, patchBytes: 1024 * 1024 };

export function createCommitService(deps: CommitServiceDeps): CommitService {
  const { files, history } = deps;

  async function resolveIfBegun(repository: RepositoryRef, ref: string | undefined) {
    const found = await files.resolveRef(repository.id, ref ?? `refs/heads/${repository.defaultBranch}`);
    if (found || ref === undefined) return found;
    const proposed = await files.resolveProposed(repository.id, ref);
    if (!proposed) throw new AppError("not_found");
    return proposed;
  }

  async function info(repository: RepositoryRef, sha: string): Promise<CommitInfo> {
    const found = await files.commitInfo(repository.id, sha);
    if (!found) throw new AppError("not_found");
    return found;
  }

  async function show(repository: RepositoryRef, shas: readonly string[]): Promise<Commit[]> {
    const found = await Promise.all(shas.map((sha) => files.commitObject(repository.id, sha)));
    const commits = found.filter((commit) => commit !== undefined);
    const [usernames, verifications] = await Promise.all([
      deps.users.usernamesByEmail(
        commits.flatMap(({ info: { author, committer } }) => [author.email, committer.email]),
      ),
      deps.commitVerifier.verify(
        commits.map(({ info, bytes }) => ({ bytes, committerEmail: info.committer.email })),
      ),
    ]);
    const address = repositoryAddress(deps.addresses, repository);
    return commits.map(({ info: commit }, at) =>
      presentCommit(commit, { usernames, verification: verifications[at]! }, address),
    );
  }

  async function resolve(repository: RepositoryRef, ref: string | undefined): Promise<ResolvedRef> {
    const found = await resolveIfBegun(repository, ref);
    if (!found) throw new AppError("not_found");
    return found;
  }

  async function listFrom(repository: RepositoryRef, sha: string, query: CommitQuery) {
    // Git fails on paths that do not exist, but the answer is that no commit changed them.
    if (query.path !== undefined && !isTreePath(query.path)) return { commits: [], total: 0 };
    const wanted = historyQuery(sha, query);
    const page = { offset: (query.page - 1) * query.per_page, limit: query.per_page };
    const [shas, total] = await Promise.all([
      history.list(repository.id, wanted, page),
      history.count(repository.id, wanted),
    ]);
    return { commits: await show(repository, shas), total };
  }

  async function changesOf(repository: RepositoryRef, commit: CommitInfo) {
    const [parent] = commit.parents;
    const before = parent === undefined ? null : (await info(repository, parent)).tree;
    return history.changedFiles(repository.id, { before, after: commit.tree }, changeLimits);
  }

  return {
    resolve,
    resolveIfBegun,
    show,
    info,
    async list(repository, query, revalidate) {
      const start = await resolveIfBegun(repository, query.ref);
      const found = start ? await listFrom(repository, start.sha, query) : { commits: [], total: 0 };
      revalidate(versionOf(start?.sha ?? "empty", found.commits));
      return found;
    },
    async get(repository, ref, revalidate) {
      const { sha } = await resolve(repository, ref);
      const [commit] = await show(repository, [sha]);
      if (!commit) throw new AppError("not_found");
      revalidate(versionOf(sha, [commit]));
      const changes = await changesOf(repository, await info(repository, sha));
      return { ...commit, files: changes.files.map(presentChange), files_truncated: changes.truncated };
    },
  };
}

/** Commits never change, but what is known of their signatures does. */
export function versionOf(sha: string, commits: readonly Commit[]): string {
  const known = commits.map(({ verification }) => Object.values(verification));
  return `${sha} ${JSON.stringify(known)}`;
}

function historyQuery(sha: string, query: CommitQuery): HistoryQuery {
  // Git knows no time before 1970.
  const seconds = (time: string) => Math.max(0, Math.floor(new Date(time).getTime() / 1000));
  return {
    sha,
    ...(query.path === undefined ? {} : { path: query.path }),
    ...(query.author === undefined ? {} : { author: query.author }),
    ...(query.since === undefined ? {} : { since: seconds(query.since) }),
    ...(query.until === undefined ? {} : { until: seconds(query.until) }),
  };
}
