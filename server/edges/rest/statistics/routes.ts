/** Binds the operations on statistics of repositories. */
import {
  getCommitStatistics,
  getDependencyGraph,
  getLanguageStatistics,
  listContributors,
} from "@forgeline/schemas/statistics/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import {
  presentCommitStatistics,
  presentDependencyGraph,
  presentLanguageStatistics,
  type StatisticsReader,
} from "../../../domains/hosting/domain.ts";

export function registerStatisticsRoutes(
  app: RouteBinder,
  { statisticsReader: statistics }: { statisticsReader: StatisticsReader },
): void {
  app.bindRepository(getCommitStatistics, async ({ repository, query }) => ({
    body: presentCommitStatistics(await statistics.commits(repository.id, query)),
  }));
  app.bindRepository(listContributors, async ({ repository, query }) => {
    const { rows, total } = await statistics.contributors(repository.id, query);
    return { body: rows, total };
  });
  app.bindRepository(getLanguageStatistics, async ({ repository }) => ({
    body: presentLanguageStatistics(await statistics.languages(repository.id)),
  }));
  app.bindRepository(getDependencyGraph, async ({ repository, query }) => ({
    body: presentDependencyGraph(await statistics.dependencies(repository.id, query)),
  }));
}
