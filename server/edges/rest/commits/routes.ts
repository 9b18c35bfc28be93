/** Binds the operations on commits. */
import {
  compareCommits,
  getBlame,
  getCommit,
  getPatch,
  listChangedFiles,
  listCommits,
} from "@forgeline/schemas/commits/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type {
  BlameService,
  ChangedFiles,
  CommitComparison,
  CommitService,
} from "../../../domains/hosting/domain.ts";

export interface CommitRoutesDeps {
  commits: CommitService;
  commitComparison: CommitComparison;
  changedFiles: ChangedFiles;
  blame: BlameService;
}

export function registerCommitRoutes(app: RouteBinder, deps: CommitRoutesDeps): void {
  const { commits, commitComparison, changedFiles, blame } = deps;
  app.bindRepository(listCommits, async ({ repository, query, revalidate }) => {
    const { commits: body, total } = await commits.list(repository, query, revalidate);
    return { body, total };
  });
  app.bindRepository(getCommit, async ({ repository, params, revalidate }) => ({
    body: await commits.get(repository, params.sha, revalidate),
  }));
  app.bindRepository(compareCommits, async ({ actor, repository, params, query, revalidate }) => {
    const question = { ...query, basehead: params.basehead };
    return { body: await commitComparison.get({ actor, repository }, question, revalidate) };
  });
  app.bindRepository(listChangedFiles, async ({ repository, params, query, revalidate }) => {
    const { basehead } = params;
    const { files, total, truncated } = await changedFiles.list(
      repository,
      { ...query, basehead },
      revalidate,
    );
    return { body: files, total, headers: truncated ? { "X-Files-Truncated": "true" } : {} };
  });
  app.bindRepository(getPatch, async ({ repository, params, query, revalidate }) => ({
    body: await changedFiles.patch(repository, { ...query, basehead: params.basehead }, revalidate),
  }));
  app.bindRepository(getBlame, async ({ repository, params, revalidate }) => ({
    body: await blame.get(repository, params, revalidate),
  }));
}
