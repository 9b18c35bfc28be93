/** Binds the operations on commits. */
import { compareCommits, getBlame, getCommit, listCommits } from "@forgeline/schemas/commits/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { BlameService, CommitComparison, CommitService } from "../../../domains/hosting/domain.ts";

export interface CommitRoutesDeps {
  commits: CommitService;
  commitComparison: CommitComparison;
  blame: BlameService;
}

export function registerCommitRoutes(app: RouteBinder, deps: CommitRoutesDeps): void {
  const { commits, commitComparison, blame } = deps;
  app.bindRepository(listCommits, async ({ repository, query, revalidate }) => {
    const { commits: body, total } = await commits.list(repository, query, revalidate);
    return { body, total };
  });
  app.bindRepository(getCommit, async ({ repository, params, revalidate }) => ({
    body: await commits.get(repository, params.sha, revalidate),
  }));
  app.bindRepository(compareCommits, async ({ repository, params, revalidate }) => ({
    body: await commitComparison.get(repository, params.basehead, revalidate),
  }));
  app.bindRepository(getBlame, async ({ repository, params, revalidate }) => ({
    body: await blame.get(repository, params, revalidate),
  }));
}
