/** Binds the operations on commits. */
import { compareCommits, getBlame, getCommit, listCommits } from "@forgeline/schemas/commits/routes.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import {
  type ContentsReader,
  type FoundContents,
  looksBinary,
  repositoryAddress,
  presentChange,
  type CommitService,
} from "../../../domains/hosting/domain.ts";
import type { RepositoryRef } from "../../../domains/policy/domain.ts";

export interface CommitRoutesDeps {
  commits: CommitService;
  contents: ContentsReader;
  history: RepositoryHistory;
  addresses: Addresses;
}

export function registerCommitRoutes(app: RouteBinder, deps: CommitRoutesDeps): void {
  const { commits } = deps;
  app.bindRepository(listCommits, async ({ repository, query, revalidate }) => {
    const start = await commits.resolveIfBegun(repository, query.ref);
    revalidate(start?.sha ?? "empty");
    if (!start) return { body: [], total: 0 };
    const { commits: body, total } = await commits.list(repository, start.sha, query);
    return { body, total };
  });
  app.bindRepository(getCommit, async ({ repository, params, revalidate }) => {
    const { sha } = await commits.resolve(repository, params.sha);
    revalidate(sha);
    const info = await commits.info(repository, sha);
    const [[commit], changes] = await Promise.all([
      commits.show(repository, [sha]),
      commits.changes(repository, info),
    ]);
    if (!commit) throw new AppError("not_found");
    const files = changes.files.map(presentChange);
    return { body: { ...commit, files, files_truncated: changes.truncated } };
  });
  app.bindRepository(compareCommits, async ({ repository, params, revalidate }) => {
    const [baseName = "", headName = "", ...more] = params.basehead.split("...");
    if (more.length > 0) throw new AppError("not_found");
    const [base, head] = await Promise.all([
      commits.resolve(repository, baseName),
      commits.resolve(repository, headName),
    ]);
    revalidate(`${base.sha} ${head.sha}`);
    return {
      body: await compare(deps, repository, {
        basehead: params.basehead,
        points: { base: base.sha, head: head.sha },
      }),
    };
  });
  app.bindRepository(getBlame, async ({ repository, params, revalidate }) => {
    const found = await deps.contents.locate(repository, params.ref, params.path);
    revalidate(found.sha);
    return { body: await blame(deps, repository, found) };
  });
}

async function compare(
  deps: CommitRoutesDeps,
  repository: RepositoryRef,
  { basehead, points }: { basehead: string; points: { base: string; head: string } },
) {
  const { base, head } = points;
  const { ahead, behind, mergeBase, shas, changes } = await deps.commits.compare(repository, base, head);
  const [commits, [baseCommit, headCommit, mergeBaseCommit]] = await Promise.all([
    deps.commits.show(repository, shas),
    deps.commits.show(repository, [base, head, ...(mergeBase ? [mergeBase] : [])]),
  ]);
  if (!baseCommit || !headCommit) throw new AppError("not_found");
  const address = repositoryAddress(deps.addresses, repository);
  return {
    status: statusOf(ahead, behind),
    ahead_by: ahead,
    behind_by: behind,
    base_commit: baseCommit,
    head_commit: headCommit,
    merge_base_commit: mergeBaseCommit ?? null,
    commits,
    files: changes.files.map(presentChange),
    files_truncated: changes.truncated,
    url: address.api("compare", basehead),
    web_url: address.web("compare", basehead),
  };
}

function statusOf(ahead: number, behind: number): "identical" | "ahead" | "behind" | "diverged" {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}

const maxBlameBytes = 1024 * 1024;

async function blame(deps: CommitRoutesDeps, repository: RepositoryRef, found: FoundContents) {
  const file = found.entry?.type === "file" ? found.entry : undefined;
  if (!file) throw new AppError("not_found");
  const object = await deps.contents.read(repository, file.oid, maxBlameBytes);
  if (!object.bytes || looksBinary(object.bytes)) {
    const message = "Only text files of up to 1 MiB are supported.";
    throw invalidField("path", "unsupported", message);
  }
  const ranges = await deps.history.blame(repository.id, found.sha, found.path);
  const shas = [...new Set(ranges.map((range) => range.sha))];
  return {
    path: found.path,
    sha: file.oid,
    ranges: ranges.map((range) => ({
      start_line: range.startLine,
      end_line: range.endLine,
      commit: range.sha,
      path: range.path,
    })),
    commits: await deps.commits.show(repository, shas),
  };
}
