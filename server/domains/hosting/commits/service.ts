/** Commits of a repository: found by what people call them, listed, compared, and looked at line by line. */
import type { Commit } from "@forgeline/schemas/commits/resource.ts";
import type { CommitQuery } from "@forgeline/schemas/commits/routes.ts";
import type { ChangeLimits, FileChanges } from "../../../platform/git/history/changed-files.ts";
import type { CommitInfo } from "../../../platform/git/objects/commit.ts";
import type { HistoryQuery } from "../../../platform/git/history/history.ts";
import { emptyTree } from "../../../platform/git/refs/names.ts";
import type { RepositoryFiles, ResolvedRef } from "../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import { isTreePath } from "../../../platform/git/objects/tree.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";
import { presentCommit } from "./present.ts";

export interface CommitService {
  /**
   * A branch, tag, or full id of a commit that one of them reaches; the default branch when nothing is named. Throws
   * `not_found`: hidden and deleted commits are as absent.
   */
  resolve(repository: RepositoryRef, ref: string | undefined): Promise<ResolvedRef>;
  /** As `resolve`, but undefined where the default branch is meant and there is none yet. */
  resolveIfBegun(repository: RepositoryRef, ref: string | undefined): Promise<ResolvedRef | undefined>;
  /** In the order of the ids; what is no commit is left out. */
  show(repository: RepositoryRef, shas: readonly string[]): Promise<Commit[]>;
  info(repository: RepositoryRef, sha: string): Promise<CommitInfo>;
  list(
    repository: RepositoryRef,
    sha: string,
    query: CommitQuery,
  ): Promise<{ commits: Commit[]; total: number }>;
  /** What a commit changed against its first parent. */
  changes(repository: RepositoryRef, commit: CommitInfo): Promise<FileChanges>;
  compare(repository: RepositoryRef, base: string, head: string): Promise<ComparedCommits>;
}

export interface ComparedCommits {
  ahead: number;
  behind: number;
  mergeBase: string | undefined;
  /** Newest first, at most 250. */
  shas: string[];
  changes: FileChanges;
}

export interface CommitServiceDeps {
  files: RepositoryFiles;
  history: RepositoryHistory;
  addresses: Addresses;
  users: { usernamesByEmail(emails: readonly string[]): Promise<Map<string, string>> };
}

const changeLimits: ChangeLimits = { files: 300, patchBytes: 1024 * 1024 };
const maxComparedCommits = 250;

export function createCommitService(deps: CommitServiceDeps): CommitService {
  const { files, history } = deps;

  async function resolveIfBegun(repository: RepositoryRef, ref: string | undefined) {
    const found = await files.resolveRef(repository.id, ref ?? `refs/heads/${repository.defaultBranch}`);
    if (!found && ref !== undefined) throw new AppError("not_found");
    return found;
  }

  async function info(repository: RepositoryRef, sha: string): Promise<CommitInfo> {
    const found = await files.commitInfo(repository.id, sha);
    if (!found) throw new AppError("not_found");
    return found;
  }

  async function show(repository: RepositoryRef, shas: readonly string[]): Promise<Commit[]> {
    const found = await Promise.all(shas.map((sha) => files.commitInfo(repository.id, sha)));
    const commits = found.filter((commit) => commit !== undefined);
    const usernames = await deps.users.usernamesByEmail(
      commits.flatMap((commit) => [commit.author.email, commit.committer.email]),
    );
    const address = repositoryAddress(deps.addresses, repository);
    return commits.map((commit) => presentCommit(commit, usernames, address));
  }

  return {
    resolveIfBegun,
    show,
    info,
    async resolve(repository, ref) {
      const found = await resolveIfBegun(repository, ref);
      if (!found) throw new AppError("not_found");
      return found;
    },
    async list(repository, sha, query) {
      // Git fails on paths that name nothing, where the answer is that no commit changed them.
      if (query.path !== undefined && !isTreePath(query.path)) return { commits: [], total: 0 };
      const wanted = historyQuery(sha, query);
      const page = { offset: (query.page - 1) * query.per_page, limit: query.per_page };
      const [shas, total] = await Promise.all([
        history.list(repository.id, wanted, page),
        history.count(repository.id, wanted),
      ]);
      return { commits: await show(repository, shas), total };
    },
    async changes(repository, commit) {
      const [parent] = commit.parents;
      const before = parent === undefined ? emptyTree : (await info(repository, parent)).tree;
      return history.changedFiles(repository.id, { before, after: commit.tree }, changeLimits);
    },
    async compare(repository, base, head) {
      const news = { sha: head, without: base };
      const [mergeBase, ahead, behind, shas] = await Promise.all([
        history.mergeBase(repository.id, base, head),
        history.count(repository.id, news),
        history.count(repository.id, { sha: base, without: head }),
        history.list(repository.id, news, { offset: 0, limit: maxComparedCommits }),
      ]);
      const [before, after] = await Promise.all([
        info(repository, mergeBase ?? base),
        info(repository, head),
      ]);
      const range = { before: before.tree, after: after.tree };
      const changes = await history.changedFiles(repository.id, range, changeLimits);
      return { ahead, behind, mergeBase, shas, changes };
    },
  };
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
